-------------------------------- MODULE Live --------------------------------
(* Clients follow a window of a list. The server reads the window after a notice of a commit, and sends each client the
   difference between what it sent last and what it has read. A client that has not accepted its last event gets none
   until it has. Clients join, leave, and come back with what they hold. The connection for notices can be lost, and so can
   the notices of that time. A list is a sequence of items; an item is an id with a version. *)
EXTENDS Integers, Sequences, FiniteSets, TLC
CONSTANTS Ids, Writes, Clients, Losses
Without(list, ids) == SelectSeq(list, LAMBDA item : item.id \notin ids)
IdsOf(list) == {list[n].id : n \in 1..Len(list)}
Place(list, i) == CHOOSE n \in 1..Len(list) : list[n].id = i
Insert(list, n, item) == SubSeq(list, 1, n) \o <<item>> \o SubSeq(list, n + 1, Len(list))

VARIABLES states,    \* the list at each moment: after each commit
          noticed,   \* whether a change was reported that no read has covered
          listening, \* whether notices arrive
          reading,   \* the moment that the current read sees and the clients that it is for, or Idle
          latest,    \* the moment of the latest state of the window, or 0
          client     \* of each client: whether it follows, the moment that it was sent last, its list, and an unaccepted event
vars == <<states, noticed, listening, reading, latest, client>>
Idle == [moment |-> 0, joining |-> {}]
Now == Len(states)
Following(c) == client[c].state = "follows"

(* A difference: the keys to remove, the keys to place, each behind another one or at the front (0), and items. *)
Order(list, ids) == [n \in 1..Cardinality(ids) |-> Without(list, IdsOf(list) \ ids)[n].id]
Kept(base, next) == LET common == {S \in SUBSET (IdsOf(base) \cap IdsOf(next)) : Order(base, S) = Order(next, S)}
                    IN CHOOSE S \in common : \A T \in common : Cardinality(S) >= Cardinality(T)
Difference(base, next) ==
    LET kept == Kept(base, next)
        places == {n \in 1..Len(next) : next[n].id \notin kept}
        after(n) == IF n = 1 THEN 0 ELSE next[n - 1].id
        isNew(n) == next[n].id \notin IdsOf(base) \/ next[n] # base[Place(base, next[n].id)]
    IN [kind |-> "change", removed |-> IdsOf(base) \ kept,
        placed |-> [n \in places |-> after(n)], keys |-> [n \in places |-> next[n].id],
        items |-> {next[n] : n \in {m \in 1..Len(next) : isNew(m) \/ m \in places}}]
Copy(list, items, i) == IF \E item \in items : item.id = i THEN CHOOSE item \in items : item.id = i
                        ELSE list[Place(list, i)]
RECURSIVE PlaceAll(_, _, _, _)
PlaceAll(list, old, event, n) ==
    IF n > 4 THEN list ELSE IF n \notin DOMAIN event.placed THEN PlaceAll(list, old, event, n + 1) ELSE
    LET after == event.placed[n]
        at == IF after = 0 THEN 0 ELSE IF after \in IdsOf(list) THEN Place(list, after) ELSE Len(list)
    IN PlaceAll(Insert(list, at, Copy(old, event.items, event.keys[n])), old, event, n + 1)
Apply(list, event) ==
    IF event.kind = "page" THEN event.list
    ELSE LET placed == PlaceAll(Without(list, event.removed), list, event, 1)
         IN [n \in 1..Len(placed) |-> Copy(placed, event.items, placed[n].id)]

NoEvent == [kind |-> "none"]
Init == /\ states = <<<<[id |-> 1, version |-> 1]>>>> /\ noticed = FALSE /\ listening = TRUE /\ reading = Idle /\ latest = 0
        /\ client = [c \in Clients |-> [state |-> "away", moment |-> 0, list |-> <<>>, seen |-> 0, event |-> NoEvent]]
Write == /\ Now <= Writes /\ noticed' = (noticed \/ listening)
         /\ LET list == states[Now]
                rest(i) == Without(list, {i})
                item(i) == [id |-> i, version |-> IF i \in IdsOf(list) THEN 3 - list[Place(list, i)].version ELSE 1]
            IN \E i \in Ids : \/ /\ i \in IdsOf(list) /\ states' = Append(states, rest(i))
                              \/ \E n \in 0..Len(rest(i)) : states' = Append(states, Insert(rest(i), n, item(i)))
         /\ UNCHANGED <<listening, reading, latest, client>>
Lose == listening /\ Now <= Losses /\ listening' = FALSE /\ UNCHANGED <<states, noticed, reading, latest, client>>
Listen == ~listening /\ listening' = TRUE /\ noticed' = TRUE /\ UNCHANGED <<states, reading, latest, client>>
Joining == {c \in Clients : client[c].state = "joins"}
Behind == {c \in Clients : Following(c) /\ client[c].event = NoEvent /\ client[c].moment < latest}
StartRead == /\ reading = Idle /\ (noticed \/ Joining # {} \/ Behind # {})
             /\ noticed' = FALSE /\ reading' = [moment |-> Now, joining |-> Joining]
             /\ UNCHANGED <<states, listening, latest, client>>
(* The read ends. Who joined since it began waits for the next one; a client that has not accepted its last event is behind. *)
EndRead == /\ reading # Idle /\ reading' = Idle /\ latest' = reading.moment
           /\ client' = [c \in Clients |->
                IF c \in reading.joining /\ client[c].state = "joins" THEN
                    [client[c] EXCEPT !.state = "follows", !.moment = reading.moment,
                                      !.event = [kind |-> "page", list |-> states[reading.moment], moment |-> reading.moment]]
                ELSE IF ~Following(c) \/ client[c].event # NoEvent THEN client[c]
                ELSE IF states[client[c].moment] = states[reading.moment] THEN [client[c] EXCEPT !.moment = reading.moment]
                ELSE [client[c] EXCEPT !.moment = reading.moment,
                        !.event = Difference(states[client[c].moment], states[reading.moment]) @@ [moment |-> reading.moment]]]
           /\ UNCHANGED <<states, noticed, listening>>
Accept(c) == /\ client[c].event # NoEvent
             /\ client' = [client EXCEPT ![c].list = Apply(client[c].list, client[c].event),
                                         ![c].seen = client[c].event.moment, ![c].event = NoEvent]
             /\ UNCHANGED <<states, noticed, listening, reading, latest>>
(* A client joins with what it holds, which can be from another instance of the server. *)
Join(c) == /\ client[c].state = "away"
           /\ \E m \in {client[c].seen, Now} : client' = [client EXCEPT ![c].state = "joins", ![c].seen = m,
                                                ![c].list = IF m = 0 THEN <<>> ELSE states[m]]
           /\ UNCHANGED <<states, noticed, listening, reading, latest>>
Leave(c) == /\ Following(c) /\ Now <= 2 /\ client' = [client EXCEPT ![c].state = "away", ![c].event = NoEvent]
            /\ UNCHANGED <<states, noticed, listening, reading, latest>>
Next == Write \/ Lose \/ Listen \/ StartRead \/ EndRead \/ \E c \in Clients : Accept(c) \/ Join(c) \/ Leave(c)
Spec == Init /\ [][Next]_vars /\ WF_vars(StartRead) /\ WF_vars(EndRead) /\ WF_vars(Listen) /\ \A c \in Clients : WF_vars(Accept(c))

(* Promise 7. *)
WindowIsExact == \A c \in Clients : client[c].seen # 0 => client[c].list = states[client[c].seen]
ChangeNamesOnlyDifferences == \A c \in Clients : LET event == client[c].event IN event.kind = "change" =>
    /\ \A item \in event.items : item \notin {client[c].list[n] : n \in 1..Len(client[c].list)} \/ item.id \in event.removed
    /\ event.removed # {} \/ event.items # {}
MomentsNeverGoBack == [][\A c \in Clients : client'[c].seen >= client[c].seen]_vars
ChangesArrive == \A c \in Clients : []<>(Following(c) => client[c].list = states[Now])
(* The limits: TLC must find a state in which each of these is false. *)
StatesAreSkipped == ~\E c \in Clients : client[c].event.kind = "change" /\ client[c].event.moment > client[c].seen + 1
WindowIsBehind == ~\E c \in Clients : Following(c) /\ client[c].seen # 0 /\ client[c].list # states[Now]
=============================================================================
