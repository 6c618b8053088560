--------------------------------- MODULE Copies ------------------------------------
(* SPDX-License-Identifier: Apache-2.0                                              *)
(***********************************************************************************)
(* Which SSTables a read may leave out, as kasane-copies decides it, seen from one  *)
(* row of one table: it is written and deleted, flushed to either disk, merged with *)
(* or without its deletions, copied from slow to fast, dropped from fast when it    *)
(* cooled, and copies are lost with their disk. Versions are their timestamps; an   *)
(* SSTable holds the newest value of the row and the newest deletion, 0 for none.   *)
(* Deletions may be purged at once. See docs/design/promotion.md, rules.            *)
(***********************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
  Versions,   \* how many writes
  Deletions,  \* those of them that delete the row
  SSTables,   \* how many there ever are
  Marks,      \* whether what is copied is marked as compacting until reads know of the copy
  Waits,      \* whether a row is left out only once reads that began before the copy have ended
  AsksAll,    \* whether purging asks the fast SSTables, too
  Inherits,   \* whether the output of a merge is left out only if all its inputs with the row are
  Checks,     \* whether a home that vanishes is noticed before the next answer
  Pins,       \* whether a row is dropped from fast only while its sources are live and stand still
  Whole,      \* whether of a running merge's inputs all are copied or none
  EndWaits    \* whether a merge ends only when no copy of its inputs is being written

VARIABLES
  truth,    \* the newest version that was written
  memory,   \* the memtable
  data,     \* of each SSTable
  slow,     \* the SSTables that were made on slow
  live,     \* those that reads look into
  made,     \* how many there were
  marked,   \* those that are being compacted
  homes,    \* of each slow SSTable: where its row is, too; empty if it may not be left out
  sources,  \* of each fast SSTable: what it was copied from; empty if it has rows of its own
  merge,    \* the compaction that runs
  copy,     \* the copy that is being made
  reader    \* a read
vars == <<truth, memory, data, slow, live, made, marked, homes, sources, merge, copy, reader>>

Ids == 1..SSTables
Nothing == [value |-> 0, deletion |-> 0]
Max(a, b) == IF a > b THEN a ELSE b
MaxOf(S) == CHOOSE x \in S \cup {0} : \A y \in S : x >= y

(* A value that a newer deletion covers goes; a deletion stays until it is purged. *)
Merged(rows) ==
  LET v == MaxOf({r.value : r \in rows})
      d == MaxOf({r.deletion : r \in rows})
  IN [value |-> IF v > d THEN v ELSE 0, deletion |-> d]

Has(s) == data[s] # Nothing
Idle == [phase |-> "idle", of |-> {}, row |-> Nothing, id |-> 0, before |-> {}]

Init ==
  /\ truth = 0
  /\ memory = Nothing
  /\ data = [s \in Ids |-> Nothing]
  /\ slow = {}
  /\ live = {}
  /\ made = 0
  /\ marked = {}
  /\ homes = [s \in Ids |-> {}]
  /\ sources = [s \in Ids |-> {}]
  /\ merge = Idle
  /\ copy = Idle
  /\ reader = [view |-> {}, memory |-> Nothing, since |-> 0, reads |-> FALSE, wrong |-> FALSE]

Write ==
  /\ truth < Versions
  /\ truth' = truth + 1
  /\ memory' = IF truth' \in Deletions
               THEN Merged({memory, [value |-> 0, deletion |-> truth']})
               ELSE Merged({memory, [value |-> truth', deletion |-> 0]})
  /\ UNCHANGED <<data, slow, live, made, marked, homes, sources, merge, copy, reader>>

Flush(toSlow) ==
  /\ memory # Nothing
  /\ made < SSTables
  /\ made' = made + 1
  /\ data' = [data EXCEPT ![made'] = memory]
  /\ slow' = IF toSlow THEN slow \cup {made'} ELSE slow
  /\ live' = live \cup {made'}
  /\ memory' = Nothing
  /\ UNCHANGED <<truth, marked, homes, sources, merge, copy, reader>>

(* ---- Compaction ---- *)

Begin(inputs) ==
  /\ merge = Idle
  /\ inputs # {}
  /\ inputs \cap marked = {}
  /\ merge' = [Idle EXCEPT !.phase = "begun", !.of = inputs]
  /\ marked' = marked \cup inputs
  /\ UNCHANGED <<truth, memory, data, slow, live, made, homes, sources, copy, reader>>

(* A deletion is purged if nothing that is older than it lies in another SSTable. *)
MergeRow ==
  /\ merge.phase = "begun"
  /\ LET row == Merged({data[s] : s \in merge.of})
         asked == IF AsksAll THEN live \ merge.of ELSE (live \ merge.of) \cap slow
         purges == /\ row.deletion # 0
                   /\ \A r \in {data[s] : s \in asked} \cup {memory} :
                        r.value = 0 \/ r.value > row.deletion
     IN \E purge \in (IF purges THEN {TRUE, FALSE} ELSE {FALSE}) :
          merge' = [merge EXCEPT !.phase = "merged",
                                 !.row = IF purge THEN [row EXCEPT !.deletion = 0] ELSE row]
  /\ UNCHANGED <<truth, memory, data, slow, live, made, marked, homes, sources, copy, reader>>

Followed(set, inputs, output) == IF set \cap inputs = {} THEN set ELSE (set \ inputs) \cup {output}

(* What the merge announces replaces its inputs, as home and as source. *)
End(toSlow) ==
  /\ merge.phase = "merged"
  /\ made < SSTables
  /\ EndWaits => copy.of \cap merge.of = {}
  /\ LET out == made + 1
         with == {s \in merge.of : Has(s)}
         onFast == merge.of \ slow
         all == UNION {homes[s] : s \in with}
         leaves == IF Inherits THEN \A s \in with : homes[s] # {} ELSE all # {}
         copies == \A s \in with : s \in onFast /\ sources[s] # {}
     IN
       /\ (onFast # {} => ~toSlow) /\ (onFast = {} => toSlow)
       /\ made' = out
       /\ data' = [data EXCEPT ![out] = merge.row]
       /\ slow' = IF toSlow THEN slow \cup {out} ELSE slow
       /\ live' = (live \ merge.of) \cup {out}
       /\ homes' = [s \in Ids |->
            IF s = out THEN (IF toSlow /\ leaves THEN all ELSE {})
            ELSE Followed(homes[s], merge.of, out)]
       /\ sources' = [s \in Ids |->
            IF s = out THEN (IF ~toSlow /\ copies THEN UNION {sources[c] : c \in with} ELSE {})
            ELSE Followed(sources[s], merge.of, out)]
       /\ marked' = marked \ merge.of
  /\ merge' = Idle
  /\ UNCHANGED <<truth, memory, copy, reader>>

(* A row that cooled leaves fast: to slow, or, if it is a copy, by being dropped. What is dropped is
   no home any more. *)
Drop ==
  /\ merge.phase = "merged"
  /\ merge.of \cap slow = {}
  /\ EndWaits => copy.of \cap merge.of = {}
  /\ \A s \in merge.of : Has(s) => sources[s] # {}
  /\ Pins => \A s \in merge.of : sources[s] \subseteq live /\ sources[s] \cap marked = {}
  /\ live' = live \ merge.of
  /\ homes' = [s \in Ids |-> IF homes[s] \cap merge.of = {} THEN homes[s] ELSE {}]
  /\ marked' = marked \ merge.of
  /\ merge' = Idle
  /\ UNCHANGED <<truth, memory, data, slow, made, sources, copy, reader>>

(* ---- Copies ---- *)

CopyBegin(of) ==
  /\ copy = Idle
  /\ of # {}
  /\ of \subseteq slow
  /\ \A s \in of : Has(s) /\ homes[s] = {}
  /\ \/ of \cap marked = {}
     \/ /\ merge.of \subseteq slow
        /\ IF Whole THEN of = {s \in merge.of : Has(s)} ELSE of \subseteq merge.of
  /\ copy' = [Idle EXCEPT !.phase = "read", !.of = of, !.row = Merged({data[s] : s \in of})]
  /\ marked' = IF Marks THEN marked \cup of ELSE marked
  /\ UNCHANGED <<truth, memory, data, slow, live, made, homes, sources, merge, reader>>

CopyWrite ==
  /\ copy.phase = "read"
  /\ made < SSTables
  /\ made' = made + 1
  /\ data' = [data EXCEPT ![made'] = copy.row]
  /\ live' = live \cup {made'}
  /\ sources' = [sources EXCEPT ![made'] = copy.of]
  /\ copy' = [copy EXCEPT !.phase = "live", !.id = made']
  /\ UNCHANGED <<truth, memory, slow, marked, homes, merge, reader>>

(* What of the sources is gone is not left out: the others are, if the copy is still there. *)
CopyKnown ==
  /\ copy.phase = "live"
  /\ Waits => ~(reader.reads /\ copy.id \notin reader.view)
  /\ homes' = [s \in Ids |->
       IF s \in copy.of /\ s \in live /\ copy.id \in live THEN {copy.id} ELSE homes[s]]
  /\ marked' = (marked \ copy.of) \cup merge.of
  /\ copy' = Idle
  /\ UNCHANGED <<truth, memory, data, slow, live, made, sources, merge, reader>>

(* A copy is lost with its disk; nobody announces it. What is lost besides is not looked at: so only
   copies are, all whose sources are there. *)
Lose(s) ==
  /\ s \in live \ slow
  /\ s \notin marked
  /\ sources[s] # {}
  /\ sources[s] \subseteq live
  /\ copy.id # s
  /\ live' = live \ {s}
  /\ homes' = IF Checks THEN [x \in Ids |-> IF s \in homes[x] THEN {} ELSE homes[x]] ELSE homes
  /\ UNCHANGED <<truth, memory, data, slow, made, marked, sources, merge, copy, reader>>

(* A slow SSTable is lost, too, or another strategy, scrub or repair takes it away; what it alone
   had is not looked at: so only if its row is on fast. *)
LoseSource(s) ==
  /\ s \in live \cap slow
  /\ s \notin marked
  /\ homes[s] # {}
  /\ homes[s] \subseteq live
  /\ live' = live \ {s}
  /\ homes' = [homes EXCEPT ![s] = {}]
  /\ UNCHANGED <<truth, memory, data, slow, made, marked, sources, merge, copy, reader>>

(* ---- Reads ---- *)

ReadBegin ==
  /\ ~reader.reads
  /\ ~reader.wrong
  /\ reader' = [view |-> live, memory |-> memory, since |-> truth, reads |-> TRUE, wrong |-> FALSE]
  /\ UNCHANGED <<truth, memory, data, slow, live, made, marked, homes, sources, merge, copy>>

(* What may be left out is asked when the read comes to it. *)
ReadEnd ==
  /\ reader.reads
  /\ LET seen == Merged({data[s] : s \in {x \in reader.view : homes[x] = {}}} \cup {reader.memory})
         right == IF seen.value # 0 THEN seen.value >= reader.since
                  ELSE reader.since = 0 \/ \E d \in Deletions : d >= reader.since /\ d <= truth
     IN reader' = [view |-> {}, memory |-> Nothing, since |-> 0, reads |-> FALSE, wrong |-> ~right]
  /\ UNCHANGED <<truth, memory, data, slow, live, made, marked, homes, sources, merge, copy>>

Next ==
  \/ Write
  \/ \E toSlow \in BOOLEAN : Flush(toSlow) \/ End(toSlow)
  \/ \E of \in SUBSET live : Begin(of) \/ CopyBegin(of)
  \/ MergeRow
  \/ Drop
  \/ CopyWrite
  \/ CopyKnown
  \/ \E s \in live : Lose(s) \/ LoseSource(s)
  \/ ReadBegin
  \/ ReadEnd

Spec == Init /\ [][Next]_vars

(* No read shows what was overwritten or deleted before it began, or misses what was written. *)
ReadsAreRight == ~reader.wrong
====================================================================================
