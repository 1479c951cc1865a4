#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <utility>

namespace phaseladder {

/// A few entries, newest first: so many at most, and so many bytes at most, but always the newest.
template <class Entry>
class Recent {
public:
    explicit Recent(std::size_t count, std::int64_t bytes = INT64_MAX) : m_count(count), m_bytes(bytes) {}

    /// The first entry that fits, moved to the front; null when none does.
    template <class Fits>
    Entry* find(Fits fits) {
        const auto found =
            std::ranges::find_if(m_entries, [&](const Kept& kept) { return fits(kept.entry); });
        if (found == m_entries.end()) {
            return nullptr;
        }
        m_entries.splice(m_entries.begin(), m_entries, found);
        return &m_entries.front().entry;
    }

    /// `bytes`: what the entry holds.
    Entry& add(Entry entry, std::int64_t bytes = 0) {
        m_entries.push_front({std::move(entry), bytes});
        m_held += bytes;
        while (m_entries.size() > 1 && (m_entries.size() > m_count || m_held > m_bytes)) {
            m_held -= m_entries.back().bytes;
            m_entries.pop_back();
        }
        return m_entries.front().entry;
    }

    /// Drops all entries that fit.
    template <class Fits>
    void dropAll(Fits fits) {
        m_entries.remove_if([&](const Kept& kept) {
            const bool isDropped = fits(kept.entry);
            m_held -= isDropped ? kept.bytes : 0;
            return isDropped;
        });
    }

    /// Drops the newest entry.
    void dropNewest() {
        m_held -= m_entries.front().bytes;
        m_entries.pop_front();
    }

private:
    struct Kept {
        Entry entry;
        std::int64_t bytes;
    };
    std::size_t m_count;
    std::int64_t m_bytes, m_held = 0;
    std::list<Kept> m_entries;
};

}  // namespace phaseladder
