#pragma once

// What the threads of a warp exchange orders nothing else in memory; on the host they meet at a barrier for
// it. So that ThreadSanitizer reports a race that this barrier would hide, it does not see it.

#ifdef __SANITIZE_THREAD__
extern "C" {
void AnnotateIgnoreSyncBegin(const char* file, int line);
void AnnotateIgnoreSyncEnd(const char* file, int line);
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
}
#endif

namespace phaseladder::gpu {

/// As long as it lives, ThreadSanitizer does not see what its thread reads, writes and waits for.
class Unordered {
public:
    Unordered() {
#ifdef __SANITIZE_THREAD__
        AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
        AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
        AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
#endif
    }
    ~Unordered() {
#ifdef __SANITIZE_THREAD__
        AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
        AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
        AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
#endif
    }
    Unordered(const Unordered&) = delete;
    Unordered& operator=(const Unordered&) = delete;
};

}  // namespace phaseladder::gpu
