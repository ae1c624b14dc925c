package com.example.inbox

import androidx.paging.ExperimentalPagingApi
import androidx.paging.LoadType
import androidx.paging.PagingState
import androidx.paging.RemoteMediator
import androidx.room.withTransaction
import java.io.IOException

@OptIn(ExperimentalPagingApi::class)
class MessageMediator(private val api: FeedApi, private val database: MessageDatabase) :
    RemoteMediator<Int, MessageRow>() {

    private val dao = database.messages()

    override suspend fun load(loadType: LoadType, state: PagingState<Int, MessageRow>): MediatorResult =
        try {
            when (loadType) {
                LoadType.REFRESH -> refresh(state.config.pageSize)
                LoadType.APPEND -> append(state.config.pageSize)
                // Items above the kept ones are read by a refresh.
                LoadType.PREPEND -> MediatorResult.Success(endOfPaginationReached = true)
            }
        } catch (e: ProblemException) {
            if (e.cannotRefresh) startAgain(state.config.pageSize) else MediatorResult.Error(e)
        } catch (e: IOException) {
            MediatorResult.Error(e)
        }

    /** Brings the kept messages up to date. If one page cannot hold them, keeps only those of that page. */
    private suspend fun refresh(size: Int): MediatorResult {
        val read = dao.read()
        val moment = read?.moment ?: return startAgain(size)
        val until = listOfNotNull(read.last?.let { "until" to it })
        val page = api.page(DELTA_LIMIT, "since" to moment, *until.toTypedArray())
        val sent = page.items.associateBy { it.id }
        val kept = dao.kept().associateBy { it.id }
        val messages = page.keys.mapNotNull { sent[it] ?: kept[it]?.message() ?: api.message(it) }
        val last = if (page.next == null) read.last else page.cursors.last
        replace(messages, Read(last, page.moment))
        return MediatorResult.Success(endOfPaginationReached = last == null)
    }

    /** Continues after the last item, even if days have passed or that item has been deleted. */
    private suspend fun append(size: Int): MediatorResult {
        val read = dao.read()
        val cursor = read?.last ?: return MediatorResult.Success(endOfPaginationReached = true)
        val page = api.page(size, "cursor" to cursor)
        val last = page.next?.let { page.cursors.last }
        database.withTransaction {
            val kept = dao.kept().mapTo(HashSet()) { it.id }
            add(page.items.filter { it.id !in kept })
            // The moment stays: the messages above have not been read again.
            dao.put(Read(last, read.moment))
        }
        return MediatorResult.Success(endOfPaginationReached = last == null)
    }

    private suspend fun startAgain(size: Int): MediatorResult =
        try {
            val page = api.page(size)
            val last = page.next?.let { page.cursors.last }
            replace(page.items, Read(last, page.moment))
            MediatorResult.Success(endOfPaginationReached = last == null)
        } catch (e: IOException) {
            MediatorResult.Error(e)
        }

    private suspend fun replace(messages: List<Message>, read: Read) = database.withTransaction {
        dao.clear()
        add(messages)
        dao.put(read)
    }

    private suspend fun add(messages: List<Message>) {
        val position = dao.lastPosition() + 1
        dao.put(messages.mapIndexed { i, message -> MessageRow(message, position + i) })
    }

    private companion object {
        /** The greatest limit of a page with `since`. The server lowers it to the feed's `delta-max`. */
        const val DELTA_LIMIT = 10_000
    }
}
