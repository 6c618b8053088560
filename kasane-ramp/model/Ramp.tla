\* SPDX-License-Identifier: Apache-2.0
------------------------------------ MODULE Ramp ------------------------------------
(***********************************************************************************)
(* The promises of kasane-ramp on replicas that lose, delay and repeat messages.    *)
(*                                                                                 *)
(* A transaction is its timestamp: 1, 2, ... . A replica keeps, for each key, the   *)
(* committed version (mark), the prepared versions (given) and the version up to    *)
(* which it was told to delete prepared ones (tomb): a tombstone, which hides what  *)
(* arrives later, too. One get reads all keys.                                     *)
(*                                                                                 *)
(* A message that may be sent may reach any replica at any time, again and again,   *)
(* or never. So a lost message, a late hint, a repair, a version that a reader      *)
(* prepares or commits for others, and a client that dies between any two messages  *)
(* are all messages that come late or not at all: they need no action of their own. *)
(*                                                                                 *)
(* Nobody sees what a replica received before it answers. So messages are delivered *)
(* just before an answer: any set of them, which is every order of deliveries. And  *)
(* which quorum acknowledged a message stays open until an answer shows a replica   *)
(* that did not receive it: so few may be without it that the others are a quorum.  *)
(* When the get begins, PREPARE of each transaction is acknowledged (nobody asks    *)
(* for a version before that), and COMMIT of some transactions.                     *)
(*                                                                                 *)
(* A replaced replica begins empty. What a stale source or a snapshot would give it *)
(* arrives as repeated messages.                                                   *)
(***********************************************************************************)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
  Keys, Replicas,
  Writes,          \* Writes[t]: the keys that transaction t writes
  Named,           \* transactions whose versions name their siblings (FAST);
                   \* the others say nothing (SMALL)
  FirstRound,      \* how many replicas a read of the first round asks
  SecondRound,     \* how many replicas a read of later rounds asks; a quorum is 2
  Replacements,    \* how many replicas may be replaced, one after the other
  PrepareFirst,    \* I1: COMMIT only after PREPARE is acknowledged at quorum on all keys
  Window,          \* I3: collect only what was committed at quorum before the get began
  OneBatch,        \* I5: collect carries the version that replaces what it deletes
  CheckAgain,      \* a version above a demand may demand more: look again
  Completed,       \* readers commit, and then collect, single keys of others' transactions
  AskAll,          \* a certain demand that a quorum cannot meet is read at ALL
  Refute           \* what may have been written, is not there, and is above what a quorum
                   \* showed earlier in the get, never was

Transactions == DOMAIN Writes
Quorum == 2
Max(s) == CHOOSE m \in s : \A n \in s : n <= m
MaxOr0(s) == IF s = {} THEN 0 ELSE Max(s)
Writers(k) == {t \in Transactions : k \in Writes[t]}
Symmetry == Permutations(Replicas)

\* Which transactions write what, for the configurations.
TwoOnBoth == <<Keys, Keys>>
ThenOne == LET k == CHOOSE k \in Keys : TRUE IN <<Keys, {k}>>
ThreeOnBoth == <<Keys, Keys, Keys>>
ThreeOverlap == LET k == CHOOSE k \in Keys : TRUE IN <<Keys, {k}, Keys>>

VARIABLES
  acked,            \* of each key: transactions whose COMMIT was acknowledged there before
                    \* the get began
  mark, tomb,       \* of each key and replica, see above
  given,            \* of each key and replica: the versions that were prepared there
  noPrepare, noCommit, \* of each key and transaction: replicas that answered without it
  replaced,         \* replicas that were replaced
  get               \* the get
vars == <<acked, mark, tomb, given, noPrepare, noCommit, replaced, get>>

Nothing == [mark |-> 0, tomb |-> 0, prep |-> {}, given |-> {}]

Zero == [k \in Keys |-> [r \in Replicas |-> 0]]
NoVersions == [k \in Keys |-> [r \in Replicas |-> {}]]
Nobody == [k \in Keys |-> [t \in Transactions |-> {}]]

Init ==
  /\ acked \in [Keys -> SUBSET Transactions]
  /\ \A k \in Keys : \A t \in acked[k] :
       k \in Writes[t] /\ (Completed \/ \A j \in Writes[t] : t \in acked[j])
  /\ mark = Zero /\ tomb = Zero /\ given = NoVersions
  /\ noPrepare = Nobody /\ noCommit = Nobody
  /\ replaced = {}
  /\ get = [state |-> "running", round |-> 1,
            have |-> [k \in Keys |-> 0],           \* the version that it would return
            need |-> [k \in Keys |-> FirstRound],  \* how many replicas to ask
            seen |-> [k \in Keys |-> {}],          \* replicas that answered
            answer |-> [k \in Keys |-> Nothing],   \* their answers, merged
            never |-> [k \in Keys |-> {}],         \* possible demands that were none
            first |-> [k \in Keys |-> {}]]         \* the marker that a quorum showed first

Forget ==
  /\ mark' = Zero /\ tomb' = Zero /\ given' = NoVersions
  /\ noPrepare' = Nobody /\ noCommit' = Nobody

------------------------------- (* Replicas *) --------------------------------------

\* Whether r may be without a message that a quorum acknowledged, if those in w are.
MayMiss(r, w) == r \in replaced \/ Cardinality(w \cup {r}) <= Cardinality(Replicas) - Quorum
Missing(r, w) == IF r \in replaced THEN w ELSE w \cup {r}

\* Messages reach r: commits up to m, collects up to c, and PREPARE of the versions in p.
Deliver(k, r, asked, m, c, p) ==
  LET shown == IF OneBatch THEN Max({m, c}) ELSE m
      uncommitted == {t \in acked[k] : shown < t}
      unprepared == IF PrepareFirst THEN (asked \cap Writers(k)) \ (given[k][r] \cup p) ELSE {}
  IN /\ m \in {mark[k][r]} \cup {t \in Writers(k) : t > mark[k][r]}
     /\ c \in {tomb[k][r]} \cup {t \in Writers(k) : t > tomb[k][r] /\ (Window => t \in acked[k])}
     /\ p \in SUBSET ((asked \cap Writers(k)) \ given[k][r])
     /\ \A t \in uncommitted : MayMiss(r, noCommit[k][t])
     /\ \A t \in unprepared : MayMiss(r, noPrepare[k][t])
     /\ noCommit' = [noCommit EXCEPT ![k] =
           [t \in Transactions |-> IF t \in uncommitted THEN Missing(r, @[t]) ELSE @[t]]]
     /\ noPrepare' = [noPrepare EXCEPT ![k] =
           [t \in Transactions |-> IF t \in unprepared THEN Missing(r, @[t]) ELSE @[t]]]
     /\ mark' = [mark EXCEPT ![k][r] = shown]
     /\ tomb' = [tomb EXCEPT ![k][r] = c]
     /\ given' = [given EXCEPT ![k][r] = @ \cup p]

Replace(r) ==
  /\ r \notin replaced
  /\ Cardinality(replaced) < Replacements
  /\ replaced' = replaced \cup {r}
  /\ mark' = [k \in Keys |-> [mark[k] EXCEPT ![r] = 0]]
  /\ tomb' = [k \in Keys |-> [tomb[k] EXCEPT ![r] = 0]]
  /\ given' = [k \in Keys |-> [given[k] EXCEPT ![r] = {}]]
  /\ UNCHANGED <<acked, noPrepare, noCommit, get>>

------------------------------- (* The get *) ---------------------------------------

\* What the versions in hand demand of a key. A version of SMALL may have any sibling.
Certain(k, have) ==
  {t \in Named \cap {have[j] : j \in Keys} : k \in Writes[t] /\ t > have[k]}
Possible(k, have, never) ==
  {t \in ({have[j] : j \in Keys} \ Named) \ never[k] : t > have[k]}
Demands(k, have, never) == Certain(k, have) \cup Possible(k, have, never)

\* One replica answers for one key. As Cassandra merges answers: the highest marker, and
\* prepared versions that no tombstone hides. Keys do not disturb each other, so their order
\* matters only where a replica is replaced between.
Ask(k, r) ==
  /\ Cardinality(get.seen[k]) < get.need[k]
  /\ r \notin get.seen[k]
  /\ Replacements = 0 => k = CHOOSE j \in Keys : Cardinality(get.seen[j]) < get.need[j]
  /\ LET asked == IF get.round = 1 THEN {} ELSE Demands(k, get.have, get.never)
         old == get.answer[k]
     IN /\ \E m, c \in Transactions \cup {0} : \E p \in SUBSET asked :
             /\ get.round = 1 => c = tomb[k][r]
             /\ Deliver(k, r, asked, m, c, p)
        /\ LET t0 == IF asked = {} THEN 0 ELSE Max({old.tomb, tomb'[k][r]})
           IN get' = [get EXCEPT
                !.seen[k] = @ \cup {r},
                !.answer[k] =
                  [mark |-> Max({old.mark, mark'[k][r]}),
                   tomb |-> t0,
                   prep |-> {t \in (old.prep \cup given'[k][r]) \cap asked : t > t0},
                   given |-> (old.given \cup given'[k][r]) \cap asked]]
  /\ UNCHANGED <<acked, replaced>>

\* What the answers of a later round mean for a key.
\*   have: the version to go on with; all: ask all replicas; lost: it is nowhere
Judge(k) ==
  LET a == get.answer[k]
      wanted == Demands(k, get.have, get.never)
      best == MaxOr0({d \in wanted : d \in a.prep \/ d = a.mark})
      unmet == {d \in wanted : d > best}
      certain == unmet \cap Certain(k, get.have)
      refuted == {d \in unmet : /\ Refute /\ d \notin Certain(k, get.have)
                                /\ \E m \in get.first[k] : m < d}
      plain == [have |-> Max({best, get.have[k]}), all |-> FALSE, lost |-> {}, never |-> {}]
  IN CASE get.need[k] = 0 -> plain
       [] unmet = {} -> plain
       [] \E d \in unmet \ refuted : a.mark >= d -> [plain EXCEPT !.have = a.mark]
       [] certain = {} -> [plain EXCEPT !.never = unmet]
       [] ~AskAll \/ get.need[k] = Cardinality(Replicas) -> [plain EXCEPT !.lost = certain]
       [] OTHER -> [plain EXCEPT !.have = get.have[k], !.all = TRUE]

\* All keys of a round are answered: done, or another round of the keys that need one.
Conclude ==
  /\ \A k \in Keys : Cardinality(get.seen[k]) = get.need[k]
  /\ LET first == get.round = 1
         judged == [k \in Keys |->
                      IF first THEN [have |-> get.answer[k].mark, all |-> FALSE,
                                     lost |-> {}, never |-> {}]
                      ELSE Judge(k)]
         have == [k \in Keys |-> judged[k].have]
         never == [k \in Keys |-> get.never[k] \cup judged[k].never]
         all == {k \in Keys : judged[k].all}
         again == {k \in Keys : Demands(k, have, never) # {}}
         lost == UNION {judged[k].lost : k \in Keys}
         end == lost # {} \/ again = {} \/ (~first /\ ~CheckAgain /\ all = {})
     IN
     /\ get' = [get EXCEPT
          !.state = IF lost = {} THEN IF end THEN "done" ELSE @
                    ELSE IF \E k \in Keys : judged[k].lost \cap get.answer[k].given # {}
                    THEN "lost, though a replica that answered was given it"
                    ELSE "lost",
          !.round = IF end THEN @ ELSE @ + 1,
          !.have = have,
          !.never = IF end THEN @ ELSE never,
          !.first = [k \in Keys |-> IF end \/ @[k] # {} \/ get.need[k] < Quorum THEN @[k]
                                    ELSE {get.answer[k].mark}],
          !.need = [k \in Keys |-> IF end \/ k \notin again THEN 0
                                   ELSE IF k \in all THEN Cardinality(Replicas)
                                   ELSE SecondRound],
          !.seen = [k \in Keys |-> {}],
          !.answer = [k \in Keys |-> Nothing]]
     \* Once the get is over, what replicas hold matters no more: that saves states.
     /\ IF end THEN Forget ELSE UNCHANGED <<mark, tomb, given, noPrepare, noCommit>>
  /\ UNCHANGED <<acked, replaced>>

Next ==
  /\ get.state = "running"
  /\ \/ \E k \in Keys, r \in Replicas : Ask(k, r)
     \/ \E r \in Replicas : Replace(r)
     \/ Conclude

Spec == Init /\ [][Next]_vars

------------------------------ (* Properties *) -------------------------------------

\* A get that shows a transaction at one key shows nothing older at its other keys.
NoFracturedRead ==
  get.state = "done" => \A j, k \in Keys :
    LET t == get.have[j] IN (t # 0 /\ k \in Writes[t]) => get.have[k] >= t

\* A certain demand is met unless as many replicas as a quorum has were replaced.
DemandsAreMet == get.state \in {"done", "running"} \/ Cardinality(replaced) >= Quorum

\* A get calls a version lost only if no replica that answered had been given it.
LossIsTrue == get.state # "lost, though a replica that answered was given it"

\* Where prepared versions were deleted there is what replaces them.
CollectNeverOutruns == \A k \in Keys, r \in Replicas : tomb[k][r] <= mark[k][r]

\* How many rounds a get takes.
TwoRounds == get.round <= 2
ThreeRounds == get.round <= 3
======================================================================================
