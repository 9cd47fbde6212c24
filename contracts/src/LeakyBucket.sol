// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A rate limit in one storage slot: the level rises with use and leaks `capacity` per hour. At most
/// twice the capacity passes in any hour (a full bucket, and what leaked meanwhile).
library LeakyBucket {
    struct Bucket {
        uint96 capacity;
        uint96 level;
        uint64 updatedAt;
    }

    error BucketOverflow(uint256 requested, uint256 room);

    /// How much may be used now.
    function room(Bucket memory bucket) internal view returns (uint256) {
        uint256 leaked = (uint256(bucket.capacity) * (block.timestamp - bucket.updatedAt)) / 1 hours;
        uint256 level = leaked >= bucket.level ? 0 : bucket.level - leaked;
        return level >= bucket.capacity ? 0 : bucket.capacity - level;
    }

    function consume(Bucket storage self, uint256 amount) internal {
        Bucket memory bucket = self;
        uint256 free = room(bucket);
        if (amount > free) revert BucketOverflow(amount, free);
        // amount <= free <= capacity, so both fit in 96 bits
        bucket.level = uint96(bucket.capacity - (free - amount));
        bucket.updatedAt = uint64(block.timestamp);
        (self.level, self.updatedAt) = (bucket.level, bucket.updatedAt);
    }

    /// Resizes and empties the bucket: the whole new capacity is free at once.
    function resize(Bucket storage self, uint96 capacity) internal {
        (self.capacity, self.level, self.updatedAt) = (capacity, 0, uint64(block.timestamp));
    }
}
