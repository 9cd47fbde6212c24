// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";

// Apart from the tests: a file that those of the passkey wallet import is compiled with the optimizer as
// well, and tests in it would run twice.

// The mode of ERC-7821 for a batch of calls.
bytes32 constant BATCH = 0x0100000000000000000000000000000000000000000000000000000000000000;

/// An owner that is itself a contract wallet.
contract ContractOwner is IERC1271 {
    bytes32 public approved;

    function approve(bytes32 hash) external {
        approved = hash;
    }

    function isValidSignature(bytes32 hash, bytes calldata) external view returns (bytes4) {
        return hash == approved ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }

    function call(address to, bytes calldata data) external {
        (bool ok,) = to.call(data);
        require(ok);
    }
}
