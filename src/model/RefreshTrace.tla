---------------------------- MODULE RefreshTrace ----------------------------
(* Accepts the history of real refreshes: each of its steps must be a step of the model, and the server must have sent the
   items that the model sends, with the keys of the page. The module History defines Steps. *)
EXTENDS Refresh, Sequences, History
VARIABLE done
Range(s) == {s[n] : n \in 1..Len(s)}
IsStep(step) ==
    \/ /\ step.kind = "begin" /\ Begin
       /\ \E t \in running' \ running : t.what = step.what /\ t.page = step.page /\ t.xid - t.top = step.sub
    \/ step.kind = "commit" /\ Commit /\ \A t \in running \ running' : t.what = step.what
    \/ step.kind = "abort" /\ Abort /\ \A t \in running \ running' : t.what = step.what
    \/ /\ step.kind = "page" /\ Refresh /\ step.page = (IF refresh.page = 2 THEN 2 ELSE 1)
       /\ Shown(step.page) = Range(step.keys)
       /\ {i \in Shown(step.page) : IsWritten(i, client.moment)} = Range(step.sent)
TraceInit == done = 0 /\ Init
TraceNext == done < Len(Steps) /\ done' = done + 1 /\ IsStep(Steps[done + 1])
(* TLC must find a state in which this is false. Otherwise, it has found no behavior of the model with this history. *)
IsRejected == done < Len(Steps)
=============================================================================
