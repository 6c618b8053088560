---------------------------------- MODULE Put --------------------------------------
(* SPDX-License-Identifier: Apache-2.0                                              *)
(***********************************************************************************)
(* Puts, as kasane-ramp places them: whose clocks give any time, which look at the  *)
(* markers of their keys at a quorum, one replica after the other, and move above   *)
(* what they find, once at most. COMMIT reaches replicas in any order; a put is     *)
(* acknowledged when a quorum of the replicas of each key has it, and others that   *)
(* are not acknowledged stay where they are, for ever if need be.                   *)
(*                                                                                 *)
(* A timestamp is a time and, where times are equal, the put's number.              *)
(***********************************************************************************)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
  Puts,      \* numbers, of which 0 is none
  Keys, Replicas,
  Times,     \* what clocks may give
  Looks      \* whether puts look at markers before they commit (I6)

Quorum == 2
Symmetry == Permutations(Replicas)

\* Each put writes all keys but for the first, which writes one.
Writes(p) == IF p = 1 THEN {CHOOSE k \in Keys : TRUE} ELSE Keys

Above(a, b) == a[1] > b[1] \/ (a[1] = b[1] /\ a[2] > b[2])
Later(a, b) == IF Above(a, b) THEN a ELSE b
None == <<0, 0>>

VARIABLES
  state,    \* of each put: idle, looking, committing, done
  at,       \* its timestamp
  before,   \* the puts that were acknowledged when it began
  looked,   \* of each key: the replicas that it has looked at
  newest,   \* the newest marker that it has seen
  mark      \* of each key and replica: the committed version
vars == <<state, at, before, looked, newest, mark>>

Init ==
  /\ state = [p \in Puts |-> "idle"]
  /\ at = [p \in Puts |-> None]
  /\ before = [p \in Puts |-> {}]
  /\ looked = [p \in Puts |-> [k \in Keys |-> {}]]
  /\ newest = [p \in Puts |-> None]
  /\ mark = [k \in Keys |-> [r \in Replicas |-> None]]

Begin(p) ==
  /\ state[p] = "idle"
  /\ \E t \in Times : at' = [at EXCEPT ![p] = <<t, p>>]
  /\ before' = [before EXCEPT ![p] = {q \in Puts : state[q] = "done"}]
  /\ state' = [state EXCEPT ![p] = IF Looks THEN "looking" ELSE "committing"]
  /\ UNCHANGED <<looked, newest, mark>>

Look(p, k, r) ==
  /\ state[p] = "looking"
  /\ k \in Writes(p)
  /\ r \notin looked[p][k]
  /\ Cardinality(looked[p][k]) < Quorum
  /\ looked' = [looked EXCEPT ![p][k] = @ \cup {r}]
  /\ newest' = [newest EXCEPT ![p] = Later(@, mark[k][r])]
  /\ UNCHANGED <<state, at, before, mark>>

\* Whatever was committed since its look: it does not look again.
Move(p) ==
  /\ state[p] = "looking"
  /\ \A k \in Writes(p) : Cardinality(looked[p][k]) = Quorum
  /\ at' = [at EXCEPT ![p] = IF Above(newest[p], @) THEN <<newest[p][1] + 1, p>> ELSE @]
  /\ state' = [state EXCEPT ![p] = "committing"]
  /\ UNCHANGED <<before, looked, newest, mark>>

Commit(p, k, r) ==
  /\ state[p] = "committing"
  /\ k \in Writes(p)
  /\ Above(at[p], mark[k][r])
  /\ mark' = [mark EXCEPT ![k][r] = at[p]]
  /\ UNCHANGED <<state, at, before, looked, newest>>

\* A replica that has something newer acknowledges, too.
Acknowledge(p) ==
  /\ state[p] = "committing"
  /\ \A k \in Writes(p) :
       Cardinality({r \in Replicas : ~Above(at[p], mark[k][r])}) >= Quorum
  /\ state' = [state EXCEPT ![p] = "done"]
  /\ UNCHANGED <<at, before, looked, newest, mark>>

Next ==
  \E p \in Puts :
    \/ Begin(p) \/ Move(p) \/ Acknowledge(p)
    \/ \E k \in Keys, r \in Replicas : Look(p, k, r) \/ Commit(p, k, r)

Spec == Init /\ [][Next]_vars

\* What was acknowledged before a put began does not beat it.
NotBeaten ==
  \A p \in Puts : state[p] \in {"committing", "done"} =>
    \A q \in before[p] : Writes(p) \cap Writes(q) # {} => Above(at[p], at[q])

\* No two puts have one timestamp.
Unique == \A p, q \in Puts : (p # q /\ at[p] # None) => at[p] # at[q]
======================================================================================
