package io.testudo.kotlin

import io.testudo.client.ClientListener
import io.testudo.client.TestudoClient
import io.testudo.client.TestudoCluster
import io.testudo.client.junit.TestudoClusterExtension
import io.testudo.client.recipes.LeaseSource
import io.testudo.mutex.Lease
import io.testudo.mutex.LeaseLostException
import io.testudo.mutex.LockObserver
import io.testudo.mutex.LockOptions
import io.testudo.mutex.NotAcquiredException
import java.time.Duration
import java.util.Optional
import java.util.UUID
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CountDownLatch
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit
import kotlin.time.Duration.Companion.minutes
import kotlin.time.toJavaDuration
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.RegisterExtension

class LeasesTest {
  private companion object {
    @JvmField @RegisterExtension val CLUSTER: TestudoClusterExtension = TestudoClusterExtension.of(4, 1)

    /** A hang guard, not an expectation. */
    val GUARD = 1.minutes
  }

  private val name = UUID.randomUUID().toString()
  private lateinit var client: TestudoClient
  private lateinit var other: TestudoClient

  @BeforeEach
  fun connect(cluster: TestudoCluster) {
    client = cluster.client()
    other = cluster.client()
  }

  @AfterEach
  fun close() {
    client.close()
    other.close()
  }

  /** A request that is under way. */
  private class Begun(private val asked: CompletableFuture<Lease>) : LeaseSource {
    override fun acquireAsync(): CompletableFuture<Lease> = asked

    override fun acquire(): Lease = asked.get()

    override fun tryAcquire(): Optional<Lease> = throw UnsupportedOperationException()

    override fun tryAcquire(wait: Duration): Optional<Lease> = throw UnsupportedOperationException()
  }

  private fun guarded(test: suspend CoroutineScope.() -> Unit) {
    runBlocking { withTimeout(GUARD, test) }
  }

  /** Whoever has left a request or a lease behind keeps others from this, for longer than the guard. */
  private fun isFree(): Boolean =
    other.lock(name).tryAcquire(GUARD.toJavaDuration()).map { it.close() }.isPresent

  private val endless = LockOptions.standard().withEndlessRenewal()

  @Test
  fun `works under the lock and gives it back`() = guarded {
    val lock = client.lock(name, endless)
    val lease = lock.withLease { it.also { lease -> assertThat(lease.isHeld).isTrue() } }
    assertThat(lease.isHeld).isFalse()
    assertThat(isFree()).isTrue()
  }

  @Test
  fun `gives it back after a failure`() = guarded {
    assertThrows(ArithmeticException::class.java) {
      runBlocking { client.lock(name, endless).withLease<Unit> { throw ArithmeticException() } }
    }
    assertThat(isFree()).isTrue()
  }

  @Test
  fun `gives it back when the work is cancelled`() = guarded {
    val begun = CompletableDeferred<Unit>()
    val work = launch {
      client.lock(name, endless).withLease<Unit> {
        begun.complete(Unit)
        awaitCancellation()
      }
    }
    begun.await()
    work.cancelAndJoin()
    assertThat(isFree()).isTrue()
  }

  @Test
  fun `a wait that is cancelled withdraws its request`() = guarded {
    val withdrawn = CompletableDeferred<Unit>()
    val theirs = other.lock(name, endless).acquireSuspending()
    client.listen(
      object : ClientListener {
        override fun requested(lock: String) =
          object : LockObserver {
            override fun withdrawn() {
              withdrawn.complete(Unit)
            }
          }
      }
    )
    val waiting =
      launch(start = CoroutineStart.UNDISPATCHED) { client.lock(name, endless).acquireSuspending() }
    waiting.cancelAndJoin()
    withdrawn.await() // While another holds the lock: it is not granted first.
    theirs.close()
    assertThat(isFree()).isTrue()
  }

  /** The grant is there, and the coroutine has not had its turn: `await` of the future would lose the lease. */
  @Test
  fun `a lease that does not reach its coroutine any more is given back`() = guarded {
    Executors.newSingleThreadExecutor().asCoroutineDispatcher().use { busy ->
      val mayGoOn = CountDownLatch(1)
      val theirs = other.lock(name, endless).acquireSuspending()
      val asked = client.lock(name, endless).acquireAsync()
      val waiting =
        launch(busy, CoroutineStart.UNDISPATCHED) { Begun(asked).acquireSuspending() }
      busy.executor.execute { mayGoOn.await(GUARD.inWholeSeconds, TimeUnit.SECONDS) }
      theirs.close()
      asked.get(GUARD.inWholeSeconds, TimeUnit.SECONDS)
      waiting.cancel()
      mayGoOn.countDown()
      waiting.join()
    }
    assertThat(isFree()).isTrue()
  }

  @Test
  fun `fails as the lock does`() = guarded {
    val theirs = other.lock(name, endless).acquireSuspending()
    assertThat(client.lock(name).tryAcquireSuspending()).isNull()
    assertThrows(NotAcquiredException::class.java) {
      runBlocking {
        client
          .lock(name)
          .acquireSuspending(LockOptions.standard().withMaxWait(Duration.ZERO))
      }
    }
    theirs.close()
    assertThat(isFree()).isTrue()
  }

  /** The end of a client is a loss of its leases. */
  @Test
  fun `a loss cancels the work`() = guarded {
    val begun = CompletableDeferred<Lease>()
    val ended = CompletableDeferred<Boolean>()
    val work =
      async(Dispatchers.Default) {
        runCatching {
          client.lock(name, endless).withLease<Unit> {
            begun.complete(it)
            try {
              awaitCancellation()
            } catch (cancelled: CancellationException) {
              ended.complete(true)
              throw cancelled
            }
          }
        }
      }
    begun.await()
    client.close()
    assertThat(work.await().exceptionOrNull()).isInstanceOf(LeaseLostException::class.java)
    assertThat(ended.await()).isTrue()
  }

  @Test
  fun `many coroutines need few threads`() = guarded {
    var entries = 0
    coroutineScope {
      List(50) { launch { client.lock(name).withLease { entries++ } } }.joinAll()
    }
    assertThat(entries).isEqualTo(50)
  }

  @Test
  fun `permits are leases as well`() = guarded {
    val permits = client.semaphore(name, 1)
    val first = permits.acquireSuspending()
    val waiting = launch(start = CoroutineStart.UNDISPATCHED) { permits.acquireSuspending() }
    waiting.cancelAndJoin()
    first.close()
    assertThat(permits.withLease { it.isHeld }).isTrue()
  }
}
