// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {P256} from "@openzeppelin/contracts/utils/cryptography/P256.sol";

import {PasskeyWallet} from "./PasskeyWallet.sol";

/// Deploys the wallet of a passkey at an address that depends only on this factory and the key. The
/// factory has no rights anywhere, so anyone may have it call anything.
contract PasskeyWalletFactory {
    address public immutable implementation = address(new PasskeyWallet());

    event WalletCreated(address indexed wallet, bytes32 qx, bytes32 qy);

    error InvalidKey();

    /// The wallet of a key, deployed or not.
    function addressOf(bytes32 qx, bytes32 qy) public view returns (address) {
        return Clones.predictDeterministicAddressWithImmutableArgs(
            implementation, abi.encode(qx, qy), bytes32(0)
        );
    }

    /// Deploys the wallet unless it exists already. Refuses a point that is not on the curve.
    function createWallet(bytes32 qx, bytes32 qy) public returns (address wallet) {
        if (!P256.isValidPublicKey(qx, qy)) revert InvalidKey();
        wallet = addressOf(qx, qy);
        if (wallet.code.length > 0) return wallet;
        Clones.cloneDeterministicWithImmutableArgs(implementation, abi.encode(qx, qy), bytes32(0));
        emit WalletCreated(wallet, qx, qy);
    }

    /// Deploys the wallet if needed, then calls `target`, which may ask it for its signature.
    function createAndCall(bytes32 qx, bytes32 qy, address target, bytes calldata data) external {
        createWallet(qx, qy);
        Address.functionCall(target, data);
    }
}
