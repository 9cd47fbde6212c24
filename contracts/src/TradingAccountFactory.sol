// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";

import {SwapVault} from "./SwapVault.sol";
import {Batch} from "./SignedBatch.sol";
import {Grant, TradingAccount} from "./TradingAccount.sol";

/// Deploys each owner's account at an address that depends only on this factory and the owner, not on
/// the deployer or the time.
contract TradingAccountFactory {
    address public immutable implementation;

    event AccountCreated(address indexed owner, address indexed account);

    error ZeroOwner();

    constructor(SwapVault vault) {
        implementation = address(new TradingAccount(vault));
    }

    /// The account of an owner, deployed or not.
    function addressOf(address owner) public view returns (address) {
        return Clones.predictDeterministicAddressWithImmutableArgs(
            implementation, abi.encode(owner), bytes32(0)
        );
    }

    /// Deploys the account unless it exists already.
    function createAccount(address owner) public returns (address account) {
        if (owner == address(0)) revert ZeroOwner();
        account = addressOf(owner);
        if (account.code.length > 0) return account;
        Clones.cloneDeterministicWithImmutableArgs(implementation, abi.encode(owner), bytes32(0));
        emit AccountCreated(owner, account);
    }

    /// Deploys the account if needed and records the signed grant. Also succeeds when the same
    /// grant was already relayed.
    function createAndGrant(address owner, Grant calldata g, bytes calldata signature)
        external
        returns (address account)
    {
        account = createAccount(owner);
        TradingAccount tradingAccount = TradingAccount(payable(account));
        if (keccak256(abi.encode(tradingAccount.grant())) == keccak256(abi.encode(g))) return account;
        tradingAccount.setGrant(g, signature);
    }

    /// Deploys the account if needed and executes the batch that its owner signed.
    function createAndExecute(address owner, Batch calldata b, bytes calldata signature)
        external
        returns (address account)
    {
        account = createAccount(owner);
        TradingAccount(payable(account)).executeWithSig(b, signature);
    }
}
