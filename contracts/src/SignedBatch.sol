// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";

/// One call of a batch.
struct Call {
    address to;
    uint256 value;
    bytes data;
}

/// Calls signed by the owner, for anyone to send: all of them happen, or none. `gas` is the least
/// that they must get, so that no sender can starve them.
struct Batch {
    Call[] calls;
    uint256 gas;
    uint64 nonce;
    uint256 deadline;
}

/// What every wallet does with a signed batch; nonce and signature are the wallet's own.
library SignedBatch {
    bytes32 private constant CALL_TYPEHASH = keccak256("Call(address to,uint256 value,bytes data)");
    bytes32 private constant BATCH_TYPEHASH = keccak256(
        "Batch(Call[] calls,uint256 gas,uint64 nonce,uint256 deadline)Call(address to,uint256 value,bytes data)"
    );

    error InsufficientGas();

    /// The EIP-712 struct hash.
    function hash(Batch calldata b) internal pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](b.calls.length);
        for (uint256 i; i < hashes.length; ++i) {
            Call calldata c = b.calls[i];
            hashes[i] = keccak256(abi.encode(CALL_TYPEHASH, c.to, c.value, keccak256(c.data)));
        }
        bytes32 calls = keccak256(abi.encodePacked(hashes));
        return keccak256(abi.encode(BATCH_TYPEHASH, calls, b.gas, b.nonce, b.deadline));
    }

    /// A call that fails fails all.
    function execute(Batch calldata b) internal {
        if (gasleft() < b.gas) revert InsufficientGas();
        for (uint256 i; i < b.calls.length; ++i) {
            Call calldata c = b.calls[i];
            (bool ok, bytes memory result) = c.to.call{value: c.value}(c.data);
            Address.verifyCallResult(ok, result);
        }
    }
}
