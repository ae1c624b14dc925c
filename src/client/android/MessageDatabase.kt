package com.example.inbox

import androidx.paging.PagingSource
import androidx.room.Dao
import androidx.room.Database
import androidx.room.Entity
import androidx.room.PrimaryKey
import androidx.room.Query
import androidx.room.RoomDatabase
import androidx.room.Upsert

@Entity(tableName = "messages")
data class MessageRow(
    @PrimaryKey val id: String,
    val position: Long,
    val createdAt: String,
    val subject: String,
    val status: String,
) {
    constructor(message: Message, position: Long) :
        this(message.id, position, message.createdAt, message.subject, message.status)

    fun message() = Message(id, createdAt, subject, status)
}

/**
 * How far the list was read, and when.
 *
 * @param last the cursor after the last message; null at the end of the list
 * @param moment when the messages were read, or earlier; null if the feed is not declared with delta
 */
@Entity(tableName = "reads")
data class Read(val last: String?, val moment: String?, @PrimaryKey val id: Int = 0)

@Dao
interface MessageDao {
    @Query("SELECT * FROM messages ORDER BY position")
    fun all(): PagingSource<Int, MessageRow>

    @Query("SELECT * FROM messages")
    suspend fun kept(): List<MessageRow>

    @Query("SELECT coalesce(max(position), 0) FROM messages")
    suspend fun lastPosition(): Long

    @Query("SELECT * FROM reads")
    suspend fun read(): Read?

    @Upsert
    suspend fun put(messages: List<MessageRow>)

    @Upsert
    suspend fun put(read: Read)

    @Query("DELETE FROM messages")
    suspend fun clear()
}

@Database(entities = [MessageRow::class, Read::class], version = 1)
abstract class MessageDatabase : RoomDatabase() {
    abstract fun messages(): MessageDao
}
