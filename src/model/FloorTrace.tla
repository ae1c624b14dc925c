----------------------------- MODULE FloorTrace -----------------------------
(* Accepts the history of real reads from several hosts: each of its steps must be a step of the model, while standbys replay
   the log, and each page must show the commits of the model. The module History defines Steps. *)
EXTENDS Floor, History
VARIABLE done
IsStep(step) ==
    \/ step.kind = "begin" /\ Begin
    \/ step.kind = "commit" /\ Commit(IF IsPrimary(A) THEN A ELSE P)
    \/ step.kind = "show" /\ Show
    \/ step.kind = "promote" /\ Promote
    \/ /\ step.kind = "page" /\ Read /\ read.isFirst = step.first
       /\ Shown(read.host) = {step.seen[n] : n \in 1..Len(step.seen)}
    \/ step.kind = "back" /\ Read /\ ~read.isFirst
TraceInit == done = 0 /\ Init
TraceNext == \/ done < Len(Steps) /\ done' = done + 1 /\ IsStep(Steps[done + 1])
             \/ (Before \/ \E h \in Hosts : Replay(h) \/ Publish(h)) /\ UNCHANGED done
(* TLC must find a state in which this is false. Otherwise, it has found no behavior of the model with this history. *)
IsRejected == done < Len(Steps)
=============================================================================
