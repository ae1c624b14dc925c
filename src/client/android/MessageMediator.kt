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
            if (e.mustStartAgain) startAgain(state.config.pageSize) else MediatorResult.Error(e)
        } catch (e: IOException) {
            MediatorResult.Error(e)
        }

    /** Adds the new items above the kept ones. If one page cannot hold them, replaces the kept items with that page. */
    private suspend fun refresh(size: Int): MediatorResult {
        val ends = dao.ends()
        val top = ends?.top ?: return startAgain(size)
        val page = api.page(size, "until" to top)
        if (page.next != null) {
            replace(page)
        } else {
            database.withTransaction {
                val position = dao.firstPosition() - page.items.size
                dao.put(page.items.mapIndexed { i, message -> MessageRow(message, position + i) })
                dao.put(Ends(page.cursors.top, ends.last))
            }
        }
        return MediatorResult.Success(endOfPaginationReached = false)
    }

    /** Continues after the last item, even if days have passed or that item has been deleted. */
    private suspend fun append(size: Int): MediatorResult {
        val ends = dao.ends()
        val last = ends?.last ?: return MediatorResult.Success(endOfPaginationReached = true)
        val page = api.page(size, "cursor" to last)
        database.withTransaction {
            add(page)
            dao.put(Ends(ends.top, page.cursors.last))
        }
        return MediatorResult.Success(endOfPaginationReached = page.next == null)
    }

    private suspend fun startAgain(size: Int): MediatorResult =
        try {
            val page = api.page(size)
            replace(page)
            MediatorResult.Success(endOfPaginationReached = page.next == null)
        } catch (e: IOException) {
            MediatorResult.Error(e)
        }

    private suspend fun replace(page: Page) = database.withTransaction {
        dao.clear()
        add(page)
        dao.put(Ends(page.cursors.top, page.cursors.last))
    }

    private suspend fun add(page: Page) {
        val position = dao.lastPosition() + 1
        dao.put(page.items.mapIndexed { i, message -> MessageRow(message, position + i) })
    }
}
