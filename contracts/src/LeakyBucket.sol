// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A rate limit: the level rises with use and leaks the whole capacity per hour. At most twice the
/// capacity passes in any hour (a full bucket, and the leak meanwhile). The caller stores its three
/// numbers, packed with values that it writes at the same time.
library LeakyBucket {
    error BucketOverflow(uint256 requested, uint256 room);

    /// The amount that may be used now.
    function room(uint256 capacity, uint256 level, uint256 updatedAt) internal view returns (uint256) {
        uint256 leaked = (capacity * (block.timestamp - updatedAt)) / 1 hours;
        uint256 remaining = leaked >= level ? 0 : level - leaked;
        return remaining >= capacity ? 0 : capacity - remaining;
    }

    /// The level after using `amount` now.
    function fill(uint64 capacity, uint64 level, uint40 updatedAt, uint256 amount)
        internal
        view
        returns (uint64)
    {
        uint256 free = room(capacity, level, updatedAt);
        if (amount > free) revert BucketOverflow(amount, free);
        return uint64(capacity - (free - amount)); // at most the capacity
    }
}
