// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

import {SwapVault} from "./SwapVault.sol";
import {Batch} from "./SignedBatch.sol";
import {Grant, TradingAccount} from "./TradingAccount.sol";

/// Deploys each owner's account at an address that depends only on this factory and the owner, not on
/// the deployer or the time.
contract TradingAccountFactory {
    using SafeERC20 for IERC20;

    address public immutable implementation;
    IERC20 private immutable usdc;

    event AccountCreated(address indexed owner, address indexed account);
    /// `permits`: how many permits of the owner USDC has taken by now.
    event PermitDeposited(address indexed owner, uint256 amount, uint256 permits);

    error ZeroOwner();
    error NothingPermitted();

    constructor(SwapVault vault) {
        implementation = address(new TradingAccount(vault));
        usdc = vault.usdc();
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

    /// Moves USDC from an owner's wallet into its account, by the owner's permit (EIP-2612) for this
    /// factory. Anyone may send it. If the permit was given to USDC before, its allowance is there: all
    /// of it moves, so a stranger can neither stop a deposit nor make it smaller.
    function depositWithPermit(address owner, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        try IERC20Permit(address(usdc)).permit(owner, address(this), amount, deadline, v, r, s) {} catch {}
        uint256 permitted = usdc.allowance(owner, address(this));
        if (permitted == 0) revert NothingPermitted();
        usdc.safeTransferFrom(owner, addressOf(owner), permitted);
        emit PermitDeposited(owner, permitted, IERC20Permit(address(usdc)).nonces(owner));
    }
}
