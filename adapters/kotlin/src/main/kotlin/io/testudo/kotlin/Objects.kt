package io.testudo.kotlin

import io.testudo.ordering.Operation
import io.testudo.ordering.ReplicatedObject
import io.testudo.ordering.Snapshot
import io.testudo.ordering.VersionListener
import io.testudo.quorum.TestudoException
import kotlinx.coroutines.channels.awaitClose
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.callbackFlow
import kotlinx.coroutines.flow.conflate
import kotlinx.coroutines.future.await

/**
 * Has an operation done, and suspends until its result is there. A coroutine that is cancelled gives
 * the call up: the operation may have happened, or may still happen.
 */
public suspend fun <S : Any, A : Any, R : Any> ReplicatedObject<S>.submitSuspending(
  operation: Operation<S, A, R>,
  argument: A,
): R = submit(operation, argument).await()

/** Looks at the newest state. */
public suspend fun <S : Any, V : Any> ReplicatedObject<S>.readSuspending(view: (S) -> V): V =
  read(view).await()

/**
 * The versions of the object from now on, as [ReplicatedObject.onVersion] tells them: a collector that
 * is slower than the changes sees the newest and not all. It fails when the client is closed.
 */
public fun <S : Any> ReplicatedObject<S>.versions(): Flow<Snapshot<S>> =
  callbackFlow {
      val subscription =
        onVersion(
          object : VersionListener<S> {
            override fun onVersion(snapshot: Snapshot<S>) {
              trySend(snapshot)
            }

            override fun onEnd(reason: TestudoException) {
              close(reason)
            }
          }
        )
      awaitClose { subscription.close() }
    }
    .conflate()
