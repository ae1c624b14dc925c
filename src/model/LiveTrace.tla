------------------------------ MODULE LiveTrace -----------------------------
(* Accepts the history of real live windows: each of its steps must be a step of the model, with reads of the server between
   them, and each client must hold the list of the model. The module History defines Steps. *)
EXTENDS Live, History
VARIABLE done
List(step) == [n \in 1..Len(step.keys) |-> [id |-> step.keys[n], version |-> step.versions[n]]]
IsStep(step) ==
    \/ step.kind = "write" /\ Write /\ states'[Len(states')] = List(step)
    \/ step.kind = "join" /\ Join(step.client) /\ client'[step.client].list = List(step)
    \/ /\ step.kind = "event" /\ Accept(step.client) /\ client[step.client].event.kind = step.event
       /\ client'[step.client].list = List(step)
TraceInit == done = 0 /\ Init
TraceNext == \/ done < Len(Steps) /\ done' = done + 1 /\ IsStep(Steps[done + 1])
             \/ (StartRead \/ EndRead) /\ UNCHANGED done
(* TLC must find a state in which this is false. Otherwise, it has found no behavior of the model with this history. *)
IsRejected == done < Len(Steps)
=============================================================================
