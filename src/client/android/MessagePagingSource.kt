package com.example.inbox

import androidx.paging.PagingSource
import androidx.paging.PagingState
import java.io.IOException

typealias Place = Pair<String, String>

class MessagePagingSource(private val api: FeedApi) : PagingSource<Place, Message>() {

    override suspend fun load(params: LoadParams<Place>): LoadResult<Place, Message> =
        try {
            page(params.key, params.loadSize)
        } catch (e: ProblemException) {
            when {
                params.key == null || !e.mustStartAgain && e.code != "anchor_not_found" -> LoadResult.Error(e)
                params is LoadParams.Refresh -> firstPage(params.loadSize)
                else -> LoadResult.Invalid()
            }
        } catch (e: IOException) {
            LoadResult.Error(e)
        }

    private suspend fun firstPage(size: Int): LoadResult<Place, Message> =
        try {
            page(null, size)
        } catch (e: IOException) {
            LoadResult.Error(e)
        }

    private suspend fun page(place: Place?, size: Int): LoadResult<Place, Message> {
        val page = if (place == null) api.page(size) else api.page(size, place)
        return LoadResult.Page(page.items, page.prev?.let { "cursor" to it }, page.next?.let { "cursor" to it })
    }

    /** Returns a jump to the message on the screen. If that message has been deleted, the list starts again. */
    override fun getRefreshKey(state: PagingState<Place, Message>): Place? =
        state.anchorPosition?.let(state::closestItemToPosition)?.let { "around_id" to it.id }
}
