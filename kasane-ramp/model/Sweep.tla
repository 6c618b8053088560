--------------------------------- MODULE Sweep -------------------------------------
(* SPDX-License-Identifier: Apache-2.0                                              *)
(***********************************************************************************)
(* Sweeps of a collection, as kasane-ramp-cql makes them, seen from one item: its   *)
(* committed versions lie in generations, and readers of the collection go through  *)
(* those that count. Reads and writes are those of quorums, at one moment each; a   *)
(* write that was sent may arrive at any time, again and again, acknowledged or     *)
(* not. Versions are their timestamps.                                              *)
(***********************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
  Versions,     \* numbers, of which 0 is none
  Deletions,    \* those that delete the item
  Sweepers,
  Generations,  \* the highest
  InTime,       \* whether what is acknowledged was written soon after the stage was read
  Doubts,       \* whether readers look by name for what is not above the horizon
  Own           \* whether a sweep goes on only from the stage that it opened itself

VARIABLES
  rows,      \* of each generation: the version that was committed to it
  copies,    \* of each generation: the version that a sweep copied
  buried,    \* of each generation: versions up to this one are deleted
  named,     \* the newest deletion, where it is found by name
  stage, horizon,
  known,     \* of each version: the stage that its client read last
  fresh,     \* of each version: whether that was a short time ago
  sent,      \* writes: version and generation
  arrived,   \* those of them that a quorum has
  acked,     \* versions
  sweep      \* of each sweeper: what it does, the stage it goes on from, what it found
vars == <<rows, copies, buried, named, stage, horizon, known, fresh, sent, arrived, acked, sweep>>

All == 0..Generations
Max(a, b) == IF a > b THEN a ELSE b
MaxOf(S) == CHOOSE x \in S \cup {0} : \A y \in S : x >= y
First(s) == s \div 2
Open(s) == (s + 1) \div 2
Unknown == 99

Init ==
  /\ rows = [g \in All |-> 0]
  /\ copies = [g \in All |-> 0]
  /\ buried = [g \in All |-> 0]
  /\ named = 0
  /\ stage = 0
  /\ horizon = 0
  /\ known = [v \in Versions |-> Unknown]
  /\ fresh = [v \in Versions |-> FALSE]
  /\ sent = {}
  /\ arrived = {}
  /\ acked = {}
  /\ sweep = [s \in Sweepers |-> [does |-> "nothing", from |-> 0, newest |-> 0, isFirst |-> FALSE]]

\* A commit: its client reads the stage, and writes to the generation that is open.
Read(v) ==
  /\ v \notin acked
  /\ ~fresh[v]
  /\ known' = [known EXCEPT ![v] = stage]
  /\ fresh' = [fresh EXCEPT ![v] = TRUE]
  /\ sent' = sent \cup {<<v, Open(stage)>>}
  /\ UNCHANGED <<rows, copies, buried, named, stage, horizon, arrived, acked, sweep>>

Arrive(v, g) ==
  /\ <<v, g>> \in sent
  /\ arrived' = arrived \cup {<<v, g>>}
  /\ rows' = [rows EXCEPT ![g] = IF v > buried[g] THEN Max(@, v) ELSE @]
  /\ named' = IF v \in Deletions THEN Max(named, v) ELSE named
  /\ UNCHANGED <<copies, buried, stage, horizon, known, fresh, sent, acked, sweep>>

Acknowledge(v) ==
  /\ v \notin acked
  /\ known[v] # Unknown
  /\ <<v, Open(known[v])>> \in arrived
  /\ fresh[v] \/ ~InTime
  /\ acked' = acked \cup {v}
  /\ UNCHANGED <<rows, copies, buried, named, stage, horizon, known, fresh, sent, arrived, sweep>>

Does(s, what, from, newest, isFirst) ==
  sweep' = [sweep EXCEPT ![s] =
    [does |-> what, from |-> from, newest |-> newest, isFirst |-> isFirst]]

\* The first step: the next generation is open.
Opens(s) ==
  /\ sweep[s].does = "nothing"
  /\ Open(stage) + (IF stage % 2 = 0 THEN 1 ELSE 0) <= Generations
  /\ stage' = IF stage % 2 = 0 THEN stage + 1 ELSE stage
  /\ Does(s, "waits", stage', 0, FALSE)
  /\ UNCHANGED <<rows, copies, buried, named, horizon, known, fresh, sent, arrived, acked>>

\* It has waited: what was read before it opened is not fresh any more.
Waits(s) ==
  /\ sweep[s].does = "waits"
  /\ IF ~Own \/ stage = sweep[s].from
     THEN Does(s, "reads", stage, 0, FALSE)
     ELSE Does(s, "nothing", 0, 0, FALSE)
  /\ (~Own) => stage % 2 = 1
  /\ fresh' = [v \in Versions |-> fresh[v] /\ known[v] >= sweep[s].from]
  /\ UNCHANGED <<rows, copies, buried, named, stage, horizon, known, sent, arrived, acked>>

\* What counts in two generations and by name.
Found(g) == Max(rows[g], copies[g])

Reads(s) ==
  /\ sweep[s].does = "reads"
  /\ LET g == First(sweep[s].from)
         n == Max(named, Max(Found(g), Found(g + 1)))
     IN Does(s, "copies", sweep[s].from, n, n = Found(g))
  /\ UNCHANGED <<rows, copies, buried, named, stage, horizon, known, fresh, sent, arrived, acked>>

Copies(s) ==
  /\ sweep[s].does = "copies"
  /\ LET o == Open(sweep[s].from)
         n == sweep[s].newest
     IN IF n \in Deletions
        THEN /\ named' = Max(named, n)
             /\ IF Found(o) > 0
                THEN /\ buried' = [buried EXCEPT ![o] = Max(@, n - 1)]
                     /\ rows' = [rows EXCEPT ![o] = IF @ < n THEN 0 ELSE @]
                     /\ copies' = [copies EXCEPT ![o] = IF @ < n THEN 0 ELSE @]
                ELSE UNCHANGED <<buried, rows, copies>>
        ELSE /\ copies' = [copies EXCEPT ![o] =
                  IF sweep[s].isFirst /\ n > buried[o] THEN Max(@, n) ELSE @]
             /\ UNCHANGED <<named, buried, rows>>
  /\ sweep' = [sweep EXCEPT ![s].does = "goes on"]
  /\ UNCHANGED <<stage, horizon, known, fresh, sent, arrived, acked>>

\* The second step: readers begin at the next one. Where somebody else was faster, the
\* horizon alone is raised.
GoesOn(s) ==
  /\ sweep[s].does = "goes on"
  /\ stage' = Max(stage, sweep[s].from + 1)
  /\ horizon' = IF sweep[s].newest \in Deletions THEN Max(horizon, sweep[s].newest) ELSE horizon
  /\ sweep' = [sweep EXCEPT ![s].does = "gives back"]
  /\ UNCHANGED <<rows, copies, buried, named, known, fresh, sent, arrived, acked>>

GivesBack(s) ==
  /\ sweep[s].does = "gives back"
  /\ LET g == First(sweep[s].from)
     IN /\ rows' = [rows EXCEPT ![g] = 0]
        /\ copies' = [copies EXCEPT ![g] = 0]
  /\ Does(s, "nothing", 0, 0, FALSE)
  /\ UNCHANGED <<buried, named, stage, horizon, known, fresh, sent, arrived, acked>>

Next ==
  \/ \E v \in Versions : Read(v) \/ Acknowledge(v) \/ \E g \in All : Arrive(v, g)
  \/ \E s \in Sweepers :
       Opens(s) \/ Waits(s) \/ Reads(s) \/ Copies(s) \/ GoesOn(s) \/ GivesBack(s)

Spec == Init /\ [][Next]_vars

\* What a reader sees who asks for the item by its name.
ByName == Max(named, MaxOf({Found(g) : g \in First(stage)..Open(stage)}))

\* What a reader of the collection sees.
InCollection ==
  LET row == MaxOf({rows[g] : g \in First(stage)..Generations})
      copy == MaxOf({copies[g] : g \in First(stage)..Generations})
      newest == Max(row, copy)
      doubtful == newest > copy /\ newest \notin Deletions /\ newest <= horizon
  IN IF doubtful /\ Doubts THEN ByName ELSE newest

IsLive(v) == v # 0 /\ v \notin Deletions

\* Nothing that was acknowledged is missed.
NothingIsLost == ByName >= MaxOf(acked)

\* A reader of the collection sees the item where it is live, and nothing of it else, as far as
\* what was acknowledged goes.
TheSame ==
  /\ IsLive(ByName) => InCollection = ByName
  /\ IsLive(InCollection) => InCollection >= MaxOf(acked)
======================================================================================
