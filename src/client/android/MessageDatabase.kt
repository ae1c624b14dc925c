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
}

@Entity(tableName = "ends")
data class Ends(val top: String?, val last: String?, @PrimaryKey val id: Int = 0)

@Dao
interface MessageDao {
    @Query("SELECT * FROM messages ORDER BY position")
    fun all(): PagingSource<Int, MessageRow>

    @Query("SELECT coalesce(min(position), 0) FROM messages")
    suspend fun firstPosition(): Long

    @Query("SELECT coalesce(max(position), 0) FROM messages")
    suspend fun lastPosition(): Long

    @Query("SELECT * FROM ends")
    suspend fun ends(): Ends?

    @Upsert
    suspend fun put(messages: List<MessageRow>)

    @Upsert
    suspend fun put(ends: Ends)

    @Query("DELETE FROM messages")
    suspend fun clear()
}

@Database(entities = [MessageRow::class, Ends::class], version = 1)
abstract class MessageDatabase : RoomDatabase() {
    abstract fun messages(): MessageDao
}
