--------------------------------- MODULE Sweep -------------------------------------
(* SPDX-License-Identifier: Apache-2.0                                              *)
(***********************************************************************************)
(* Sweeps of a collection, as kasane-ramp-cql makes them, seen from one item: its   *)
(* committed versions lie in generations, and readers of the collection go through  *)
(* those that count. Reads and writes are those of quorums, at one moment each; a   *)
(* write that was sent may arrive at any time, again and again, acknowledged or     *)
(* not. A stage is written to all replicas, and may be at some of them for a while, *)
(* or for ever: a reader meets it, or the one before. Versions are their timestamps.*)
(***********************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
  Versions,     \* numbers, of which 0 is none
  Deletions,    \* those that delete the item
  Sweepers,
  Generations,  \* the highest
  InTime,       \* whether what is acknowledged was written soon after the stage was read
  Doubts,       \* whether readers look by name for what is not above the horizon
  Own,          \* whether a sweep goes on only from the stage that it opened itself
  Two           \* whether who asks by name looks into the next generation, too

VARIABLES
  rows,      \* of each generation: the version that was committed to it
  copies,    \* of each generation: the version that a sweep copied
  buried,    \* of each generation: versions up to this one are deleted
  named,     \* the newest deletion, where it is found by name
  stage,     \* the highest that all replicas have
  ahead,     \* the highest that one of them has
  horizon,   \* of each stage
  known,     \* of each version: the stage that its client read last
  fresh,     \* of each version: whether that was a short time ago
  sent,      \* writes: version and generation
  arrived,   \* those of them that a quorum has
  acked,     \* versions
  sweep      \* of each sweeper: what it does, the stage it goes on from, what it found
vars == <<rows, copies, buried, named, stage, ahead, horizon, known, fresh, sent, arrived, acked,
          sweep>>

Stages == 0..(2 * Generations + 1)
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
  /\ ahead = 0
  /\ horizon = [s \in Stages |-> 0]
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
  /\ \E s \in stage..ahead :
       /\ known' = [known EXCEPT ![v] = s]
       /\ sent' = sent \cup {<<v, Open(s)>>}
  /\ fresh' = [fresh EXCEPT ![v] = TRUE]
  /\ UNCHANGED <<rows, copies, buried, named, stage, ahead, horizon, arrived, acked, sweep>>

Arrive(v, g) ==
  /\ <<v, g>> \in sent
  /\ arrived' = arrived \cup {<<v, g>>}
  /\ rows' = [rows EXCEPT ![g] = IF v > buried[g] THEN Max(@, v) ELSE @]
  /\ named' = IF v \in Deletions THEN Max(named, v) ELSE named
  /\ UNCHANGED <<copies, buried, stage, ahead, horizon, known, fresh, sent, acked, sweep>>

Acknowledge(v) ==
  /\ v \notin acked
  /\ known[v] # Unknown
  /\ <<v, Open(known[v])>> \in arrived
  /\ fresh[v] \/ ~InTime
  /\ acked' = acked \cup {v}
  /\ UNCHANGED <<rows, copies, buried, named, stage, ahead, horizon, known, fresh, sent, arrived,
                 sweep>>

Does(s, what, from, newest, isFirst) ==
  sweep' = [sweep EXCEPT ![s] =
    [does |-> what, from |-> from, newest |-> newest, isFirst |-> isFirst]]

\* The first step: the next generation is open. A sweep reads the stage from all replicas, and
\* repairs them; where its own write does not reach all of them it ends.
OpensAtSome(s) ==
  /\ sweep[s].does = "nothing"
  /\ ahead % 2 = 0
  /\ Open(ahead) < Generations
  /\ stage' = ahead
  /\ ahead' = ahead + 1
  /\ sweep' = sweep
  /\ horizon' = [t \in Stages |-> IF t > ahead THEN Max(horizon[t], horizon[ahead]) ELSE horizon[t]]
  /\ UNCHANGED <<rows, copies, buried, named, known, fresh, sent, arrived, acked>>

Opens(s) ==
  /\ sweep[s].does = "nothing"
  /\ ahead % 2 = 1
  /\ stage' = ahead
  /\ Does(s, "waits", stage', 0, FALSE)
  /\ UNCHANGED <<rows, copies, buried, named, ahead, horizon, known, fresh, sent, arrived, acked>>

\* It has waited: what was read before it opened is not fresh any more.
Waits(s) ==
  /\ sweep[s].does = "waits"
  /\ stage' = ahead
  /\ IF ~Own \/ ahead = sweep[s].from
     THEN Does(s, "reads", ahead, 0, FALSE)
     ELSE Does(s, "nothing", 0, 0, FALSE)
  /\ (~Own) => ahead % 2 = 1
  /\ fresh' = [v \in Versions |-> fresh[v] /\ known[v] >= sweep[s].from]
  /\ UNCHANGED <<rows, copies, buried, named, ahead, horizon, known, sent, arrived, acked>>

\* What counts in two generations and by name.
Found(g) == IF g \in All THEN Max(rows[g], copies[g]) ELSE 0

Reads(s) ==
  /\ sweep[s].does = "reads"
  /\ LET g == First(sweep[s].from)
         n == Max(named, Max(Found(g), Found(g + 1)))
     IN Does(s, "copies", sweep[s].from, n, n = Found(g))
  /\ UNCHANGED <<rows, copies, buried, named, stage, ahead, horizon, known, fresh, sent, arrived,
                 acked>>

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
  /\ UNCHANGED <<stage, ahead, horizon, known, fresh, sent, arrived, acked>>

\* The second step: readers begin at the next one. Where somebody else was faster, the
\* horizon alone is raised.
GoesOnAtSome(s) ==
  /\ sweep[s].does = "goes on"
  /\ ahead' = Max(ahead, sweep[s].from + 1)
  /\ horizon' =
       [t \in Stages |->
          IF t > sweep[s].from /\ sweep[s].newest \in Deletions
          THEN Max(horizon[t], Max(horizon[sweep[s].from], sweep[s].newest))
          ELSE IF t > sweep[s].from THEN Max(horizon[t], horizon[sweep[s].from]) ELSE horizon[t]]
  /\ sweep' = [sweep EXCEPT ![s].does = "has gone on"]
  /\ UNCHANGED <<rows, copies, buried, named, stage, known, fresh, sent, arrived, acked>>

GoesOn(s) ==
  /\ sweep[s].does = "has gone on"
  /\ stage' = Max(stage, sweep[s].from + 1)
  /\ sweep' = [sweep EXCEPT ![s].does = "gives back"]
  /\ UNCHANGED <<rows, copies, buried, named, ahead, horizon, known, fresh, sent, arrived, acked>>

GivesBack(s) ==
  /\ sweep[s].does = "gives back"
  /\ LET g == First(sweep[s].from)
     IN /\ rows' = [rows EXCEPT ![g] = 0]
        /\ copies' = [copies EXCEPT ![g] = 0]
  /\ Does(s, "nothing", 0, 0, FALSE)
  /\ UNCHANGED <<buried, named, stage, ahead, horizon, known, fresh, sent, arrived, acked>>

Next ==
  \/ \E v \in Versions : Read(v) \/ Acknowledge(v) \/ \E g \in All : Arrive(v, g)
  \/ \E s \in Sweepers :
       \/ OpensAtSome(s) \/ Opens(s) \/ Waits(s) \/ Reads(s) \/ Copies(s)
       \/ GoesOnAtSome(s) \/ GoesOn(s) \/ GivesBack(s)

Spec == Init /\ [][Next]_vars

\* What a reader sees who asks for the item by its name, and believes a stage.
ByName(s) ==
  Max(named, MaxOf({Found(g) : g \in First(s)..(IF Two THEN First(s) + 1 ELSE Open(s))}))

\* What a reader of the collection sees.
InCollection(s) ==
  LET row == MaxOf({rows[g] : g \in First(s)..Generations})
      copy == MaxOf({copies[g] : g \in First(s)..Generations})
      newest == Max(row, copy)
      doubtful == newest > copy /\ newest \notin Deletions /\ newest <= horizon[s]
  IN IF doubtful /\ Doubts THEN ByName(s) ELSE newest

IsLive(v) == v # 0 /\ v \notin Deletions

\* Nothing that was acknowledged is missed.
NothingIsLost == \A s \in stage..ahead : ByName(s) >= MaxOf(acked)

\* A reader of the collection sees the item where it is live, and nothing of it else, as far as
\* what was acknowledged goes.
TheSame ==
  \A s \in stage..ahead :
    /\ IsLive(ByName(s)) => InCollection(s) = ByName(s)
    /\ IsLive(InCollection(s)) => InCollection(s) >= MaxOf(acked)
======================================================================================
