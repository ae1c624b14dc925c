package com.example.inbox

import java.io.IOException
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import okhttp3.HttpUrl.Companion.toHttpUrl
import okhttp3.OkHttpClient
import okhttp3.Request

@Serializable
data class Message(
    val id: String,
    @SerialName("created_at") val createdAt: String,
    val subject: String,
    val status: String,
)

@Serializable
data class Page(
    val items: List<Message>,
    @SerialName("next_cursor") val next: String?,
    @SerialName("prev_cursor") val prev: String?,
    val cursors: Bookmarks,
    /** The time at which the page was read. Null if the feed is not declared with delta. */
    val moment: String? = null,
    /** The ids of all messages of a page that was requested with `since`. */
    val keys: List<String> = emptyList(),
)

@Serializable
data class Bookmarks(val top: String?, val last: String?)

@Serializable
data class Fresh(val count: Int, val capped: Boolean)

@Serializable
private data class Problem(val code: String? = null, val detail: String? = null)

/** The server responded with a problem. */
class ProblemException(val status: Int, val code: String?, detail: String?) :
    IOException(detail ?: "the server responded with status $status") {

    /** Whether the cursor is no longer valid. */
    val mustStartAgain get() = code in setOf("invalid_cursor", "cursor_mismatch", "cursor_expired")

    /** Whether what is kept cannot be refreshed. The last code means that the feed no longer has delta. */
    val cannotRefresh get() = mustStartAgain || code in setOf("invalid_moment", "not_supported")
}

/** One list: a feed in one order with one set of filters. [url] is the URL of the feed, such as https://example.com/api/messages. */
class FeedApi(
    private val http: OkHttpClient,
    private val url: String,
    private val listParameters: List<Pair<String, String>> = emptyList(),
) {
    private val json = Json { ignoreUnknownKeys = true }

    /** Reads a page. [place] is empty for the first page, or for example `"cursor" to page.next`. */
    suspend fun page(limit: Int, vararg place: Pair<String, String>): Page =
        json.decodeFromString(get(url, place.toList() + ("limit" to "$limit")))

    /** Reads one message. Null if the list no longer has it. */
    suspend fun message(id: String): Message? =
        try {
            page(1, "from_id" to id).items.firstOrNull()
        } catch (e: ProblemException) {
            if (e.code == "anchor_not_found") null else throw e
        }

    /** Counts the items above the bookmark [top], for a button such as "3 new messages". */
    suspend fun fresh(top: String): Fresh = json.decodeFromString(get("$url/fresh", listOf("cursor" to top)))

    private suspend fun get(url: String, parameters: List<Pair<String, String>>): String =
        withContext(Dispatchers.IO) {
            val target = url.toHttpUrl().newBuilder()
            (listParameters + parameters).forEach { (name, value) -> target.addQueryParameter(name, value) }
            val request = Request.Builder()
                .url(target.build())
                .header("Accept", "application/json")
                // A page from a cache can be older than the moment that is kept.
                .header("Cache-Control", "no-cache")
                .build()
            http.newCall(request).execute().use { response ->
                val body = response.body?.string().orEmpty()
                // The login page of a public network can have status 200.
                val isJson = response.header("Content-Type").orEmpty().startsWith("application/json")
                if (!response.isSuccessful || !isJson) {
                    val problem = problem(body)
                    throw ProblemException(response.code, problem.code, problem.detail)
                }
                body
            }
        }

    /** Parses a problem. A response without JSON, for example from a proxy, has no code. */
    private fun problem(body: String): Problem =
        try {
            json.decodeFromString(body)
        } catch (e: SerializationException) {
            Problem()
        }
}
