package io.testudo.kotlin

import io.testudo.client.recipes.LeaseSource
import io.testudo.mutex.DistributedLock
import io.testudo.mutex.Lease
import io.testudo.mutex.LeaseLostException
import io.testudo.mutex.LockOptions
import io.testudo.mutex.NotAcquiredException
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionException
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.coroutines.resumeWithException
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.cancel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.suspendCancellableCoroutine

/**
 * Waits for the lock without a thread, and fails as [DistributedLock.acquire] does. A coroutine that
 * is cancelled meanwhile withdraws its request; a lease that was granted and has not reached it is
 * given back.
 */
public suspend fun DistributedLock.acquireSuspending(): Lease = awaitLease(acquireAsync())

/** As [acquireSuspending], with options that differ from those of the lock. */
public suspend fun DistributedLock.acquireSuspending(options: LockOptions): Lease =
  awaitLease(acquireAsync(options))

/** The lease, or null if the lock was not free within this time. */
public suspend fun DistributedLock.tryAcquireSuspending(wait: Duration = Duration.ZERO): Lease? =
  try {
    acquireSuspending(options().withMaxWait(wait.coerceAtLeast(Duration.ZERO).toJavaDuration()))
  } catch (_: NotAcquiredException) {
    null
  }

/** A permit, or a place of a reader or writer, without a thread; cancelled as a lock is. */
public suspend fun LeaseSource.acquireSuspending(): Lease = awaitLease(acquireAsync())

/**
 * Does something under the lock, and gives it back when that is over, however it ends. If the lease
 * is lost meanwhile, the work is cancelled, and a [LeaseLostException] follows when it has ended.
 */
public suspend fun <T> DistributedLock.withLease(work: suspend CoroutineScope.(Lease) -> T): T =
  whileHeld(acquireSuspending(), work)

/** As [DistributedLock.withLease]. */
public suspend fun <T> LeaseSource.withLease(work: suspend CoroutineScope.(Lease) -> T): T =
  whileHeld(acquireSuspending(), work)

/** Unlike `await` of a future this loses no lease: one may come between the end of the future and the coroutine's turn. */
private suspend fun awaitLease(asked: CompletableFuture<Lease>): Lease =
  suspendCancellableCoroutine { waiting ->
    asked.whenComplete { lease: Lease?, error: Throwable? ->
      if (lease != null) {
        waiting.resume(lease) { _, untaken, _ -> untaken.close() }
      } else {
        waiting.resumeWithException(reason(error))
      }
    }
    waiting.invokeOnCancellation { asked.cancel(false) }
  }

private fun reason(error: Throwable?): Throwable =
  (error as? CompletionException)?.cause ?: error ?: IllegalStateException("neither lease nor error")

private suspend fun <T> whileHeld(lease: Lease, work: suspend CoroutineScope.(Lease) -> T): T {
  val lost = AtomicBoolean()
  return lease.use {
    try {
      coroutineScope {
        lease.onLost {
          lost.set(true)
          cancel("the lease on '${lease.lockName()}' is lost")
        }
        work(lease)
      }
    } catch (cancelled: CancellationException) {
      currentCoroutineContext().ensureActive() // Else it was cancelled from outside.
      throw if (lost.get()) LeaseLostException(lease.lockName()) else cancelled
    }
  }
}
