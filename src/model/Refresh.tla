------------------------------ MODULE Refresh -------------------------------
(* A client keeps a list of two pages, and refreshes it with `since`. Rows are written by transactions, of which some write
   in a savepoint, whose own id is higher; they commit late or abort. A row can be hidden and shown again without being
   written, as by a condition that looks at the clock. A swap renames a table of older rows into place. A restore returns
   the server to an older state, where it hands out the same transaction ids again, and starts a new run. The content of an
   item is the writer of its row and of the row embedded in it. Only row 1 is moved, deleted, or hidden. *)
EXTENDS Integers, FiniteSets
CONSTANTS Ids, LastXid, Swaps, Restores
Pages == {1, 2}
Author == 8
Table == 9
Deleted == [page |-> 0, xid |-> 0, writer |-> <<0, 0>>, hidden |-> FALSE]

VARIABLES rows,     \* the committed row of each id: its page, its xmin, who wrote it, and whether it is hidden
          author,   \* the embedded row of all items: its xmin and who wrote it
          relation, \* the xmin of the relation's row in pg_class
          running,  \* the transactions that run, each with what it has written
          nextXid, run, swaps,
          client,   \* what the client keeps: its items, and the moment
          refresh,  \* what a refresh has read so far: the page to read next, its items, and its moment
          isExact   \* whether every page so far, with the kept copies, gave the page as it stood
server == <<rows, author, relation, running, nextXid, run, swaps>>

Least(S) == CHOOSE x \in S : \A y \in S : x <= y
Horizon == Least({nextXid} \cup {t.top : t \in running})
Content(i) == <<rows[i].writer, author.writer>>
Shown(p) == {i \in Ids : rows[i].page = p /\ ~rows[i].hidden}
NoCopy == <<>>
Idle == [page |-> 0, items |-> [i \in Ids |-> NoCopy], moment |-> [run |-> 0, horizon |-> 0]]

(* What the server does. *)
Moment == [run |-> run, horizon |-> Horizon]
IsWritten(i, since) == \/ since.run # run \/ since.horizon > Horizon
                       \/ rows[i].xid >= since.horizon
                       \/ author.xid >= since.horizon
                       \/ relation >= since.horizon
(* What the client does. It asks for an item of which it has no copy by its key. *)
Merged(i, since) == IF IsWritten(i, since) \/ client.items[i] = NoCopy THEN Content(i) ELSE client.items[i]
ReadPage(p) ==
    LET items == [i \in Ids |-> IF i \in Shown(p) THEN Merged(i, client.moment) ELSE refresh.items[i]]
        moment == IF p = 1 THEN Moment ELSE refresh.moment
    IN /\ isExact' = (isExact /\ \A i \in Shown(p) : items[i] = Content(i))
       /\ IF p = 2 THEN client' = [items |-> items, moment |-> moment] /\ refresh' = Idle
                   ELSE refresh' = [page |-> 2, items |-> items, moment |-> moment] /\ UNCHANGED client
       /\ UNCHANGED server

Init == /\ rows = [i \in Ids |-> [page |-> i, xid |-> 1, writer |-> <<1, 1>>, hidden |-> FALSE]]
        /\ author = [xid |-> 1, writer |-> <<1, 1>>] /\ relation = 1 /\ running = {} /\ nextXid = 2 /\ run = 1 /\ swaps = 0
        /\ client = [items |-> [i \in Ids |-> NoCopy], moment |-> Idle.moment] /\ refresh = Idle /\ isExact = TRUE
Rest == <<client, refresh, isExact>>
(* Begins a transaction that writes one row: of an item, of the author, or all rows by a swap. *)
Begin == \E sub \in {0, 1}, what \in Ids \cup {Author, Table}, p \in {0} \cup Pages :
    /\ what # 1 => p = IF what = 2 THEN 2 ELSE 0
    /\ nextXid + sub <= LastXid /\ nextXid' = nextXid + sub + 1 /\ \A t \in running : t.what # what
    /\ (what = Table => swaps < Swaps)
    /\ swaps' = IF what = Table THEN swaps + 1 ELSE swaps
    /\ running' = running \cup {[top |-> nextXid, xid |-> nextXid + sub, what |-> what, page |-> p]}
    /\ UNCHANGED <<rows, author, relation, run, Rest>>
Commit == \E t \in running :
    LET writer == <<run, t.xid>> IN
    /\ running' = running \ {t}
    /\ rows' = IF t.what \in Ids THEN [rows EXCEPT ![t.what] = IF t.page = 0 THEN Deleted ELSE
                                           [page |-> t.page, xid |-> t.xid, writer |-> writer, hidden |-> FALSE]]
               ELSE IF t.what = Table THEN
                   [i \in Ids |-> [page |-> i, xid |-> 1, writer |-> <<0, 1>>, hidden |-> FALSE]] ELSE rows
    /\ author' = IF t.what = Author THEN [xid |-> t.xid, writer |-> writer] ELSE author
    /\ relation' = IF t.what = Table THEN t.xid ELSE relation
    /\ UNCHANGED <<nextXid, run, swaps, Rest>>
Abort == \E t \in running : running' = running \ {t} /\ UNCHANGED <<rows, author, relation, nextXid, run, swaps, Rest>>
Hide == rows[1] # Deleted /\ rows' = [rows EXCEPT ![1].hidden = ~@]
        /\ UNCHANGED <<author, relation, running, nextXid, run, swaps, Rest>>
Restore == /\ run <= Restores /\ run' = run + 1 /\ nextXid' = 2 /\ running' = {} /\ relation' = 1 /\ swaps' = 0
           /\ rows' = [i \in Ids |-> [page |-> i, xid |-> 1, writer |-> <<1, 1>>, hidden |-> FALSE]]
           /\ author' = [xid |-> 1, writer |-> <<1, 1>>] /\ UNCHANGED Rest
Refresh == ReadPage(IF refresh.page = 2 THEN 2 ELSE 1)
Next == Begin \/ Commit \/ Abort \/ Hide \/ Restore \/ Refresh

(* Promise 6: with the copies that the client keeps, every page of a refresh is the page as it stands now. *)
PageIsExact == isExact
(* The limits: TLC must find a state in which each of these is false. *)
UnchangedItemIsSent == ~\E i \in Ids : client.items[i] = Content(i) /\ IsWritten(i, client.moment) /\ run = client.moment.run
KeyComesAlone == ~\E i \in Ids : /\ rows[i] # Deleted /\ ~rows[i].hidden /\ client.items[i] = NoCopy
                                 /\ client.moment.run = run /\ ~IsWritten(i, client.moment)
=============================================================================
