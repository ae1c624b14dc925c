----------------------------- MODULE ScrollTrace ----------------------------
(* Accepts the history of a real scroll: each of its steps must be a step of the model, and each page of the server must be
   the page of the model. The module History defines Steps: first the list, and then what was written, committed, and read. *)
EXTENDS Scroll, History
VARIABLE done
IsStep(step) ==
    \/ step.kind = "write" /\ Write(step.id) /\ open'[step.id] = step.key
    \/ step.kind = "commit" /\ Commit(step.id)
    \/ /\ step.kind = "page" /\ Scroll
       /\ page'.items = step.items /\ page'.more = step.more /\ page'.prev = step.prev
TraceInit == done = 1 /\ table = Steps[1].table /\ live = Steps[1].live /\ until = End /\ Init
TraceNext == done < Len(Steps) /\ done' = done + 1 /\ IsStep(Steps[done + 1])
(* TLC must find a state in which this is false. Otherwise, it has found no behavior of the model with this history. *)
IsRejected == done < Len(Steps)
=============================================================================
