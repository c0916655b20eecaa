#include "ThreadSanitizerShims.h"

#if defined(__linux__) && defined(__has_feature)
#if __has_feature(thread_sanitizer)

// Synchronization.Mutex takes its contended paths inside the standard library, which is built
// without the sanitizer: it sees no order between two holders there and reports races that are
// none. These two stand before the library's functions of the same names, call them, and tell the
// sanitizer of the order they make. The uncontended paths are inlined into our code and are seen.

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

typedef SWIFT void (*LockSlow)(uint32_t thread, SELF void *mutex);
typedef SWIFT void (*UnlockSlow)(SELF void *mutex);

SWIFT void lockSlow(uint32_t thread, SELF void *mutex) __asm__(
    "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT void unlockSlow(SELF void *mutex) __asm__(
    "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

static void *original(_Atomic(void *) *cache, const char *name) {
  void *found = atomic_load(cache);
  if (!found) {
    found = dlsym(RTLD_NEXT, name);
    atomic_store(cache, found);
  }
  return found;
}

SWIFT void lockSlow(uint32_t thread, SELF void *mutex) {
  static _Atomic(void *) cache;
  ((LockSlow)original(&cache, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"))(
      thread, mutex);
  __tsan_acquire(mutex);
}

SWIFT void unlockSlow(SELF void *mutex) {
  static _Atomic(void *) cache;
  __tsan_release(mutex);
  ((UnlockSlow)original(&cache, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"))(mutex);
}

#endif
#endif
