// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC3009} from "@openzeppelin/contracts/token/ERC20/extensions/draft-ERC3009.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";

/// A test dollar for local chains, like USDC where the service depends on it: six decimals, EIP-2612
/// permits and EIP-3009 authorisations under the domain ("USD Coin", "2"), an issuer that can block
/// addresses and pause all transfers. Never for production.
contract TestUsdc is ERC20, ERC3009, Nonces, Ownable, IERC20Permit {
    bytes32 private constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    uint256 private constant BLOCKED = 1 << 255;

    bool public paused;
    uint256 private supply;
    /// Like Circle's contract: the balance, and in the highest bit whether the address is blocked.
    mapping(address account => uint256) private states;
    mapping(address account => bool) public isMinter;

    event Blacklisted(address indexed account);
    event UnBlacklisted(address indexed account);
    event MinterConfigured(address indexed minter, bool allowed);
    event PauseChanged(bool paused);

    error Paused();
    error Blocked(address account);
    error OnlyMinter();
    error PermitExpired(uint256 deadline);
    error PermitSignerMismatch(address signer, address owner);

    constructor(address issuer) ERC20("USD Coin", "USDC") EIP712("USD Coin", "2") Ownable(issuer) {}

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function totalSupply() public view override returns (uint256) {
        return supply;
    }

    function balanceOf(address account) public view override returns (uint256) {
        return states[account] & ~BLOCKED;
    }

    function isBlacklisted(address account) public view returns (bool) {
        return states[account] & BLOCKED != 0;
    }

    function mint(address to, uint256 amount) external {
        if (!isMinter[msg.sender] && msg.sender != owner()) revert OnlyMinter();
        _mint(to, amount);
    }

    /// A blocked spender cannot move anything, even with an allowance.
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        if (isBlacklisted(msg.sender)) revert Blocked(msg.sender);
        return super.transferFrom(from, to, value);
    }

    function permit(
        address holder,
        address spender,
        uint256 value,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        if (block.timestamp > deadline) revert PermitExpired(deadline);
        bytes32 hash = _hashTypedDataV4(
            keccak256(abi.encode(PERMIT_TYPEHASH, holder, spender, value, _useNonce(holder), deadline))
        );
        address signer = ECDSA.recover(hash, v, r, s);
        if (signer != holder) revert PermitSignerMismatch(signer, holder);
        _approve(holder, spender, value);
    }

    function nonces(address holder) public view override(Nonces, IERC20Permit) returns (uint256) {
        return super.nonces(holder);
    }

    // solhint-disable-next-line func-name-mixedcase
    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        return _domainSeparatorV4();
    }

    function configureMinter(address minter, bool allowed) external onlyOwner {
        isMinter[minter] = allowed;
        emit MinterConfigured(minter, allowed);
    }

    function blacklist(address account) external onlyOwner {
        states[account] |= BLOCKED;
        emit Blacklisted(account);
    }

    function unBlacklist(address account) external onlyOwner {
        states[account] &= ~BLOCKED;
        emit UnBlacklisted(account);
    }

    function setPaused(bool value) external onlyOwner {
        paused = value;
        emit PauseChanged(value);
    }

    function _approve(address holder, address spender, uint256 value, bool emitEvent) internal override {
        if (paused) revert Paused();
        if (isBlacklisted(holder)) revert Blocked(holder);
        if (isBlacklisted(spender)) revert Blocked(spender);
        super._approve(holder, spender, value, emitEvent);
    }

    function _update(address from, address to, uint256 value) internal override {
        if (paused) revert Paused();
        if (from == address(0)) {
            supply += value; // checked, and far below the highest bit, as is every balance
            if (supply >= BLOCKED) revert ERC20InvalidReceiver(to);
        } else {
            uint256 state = states[from];
            if (state & BLOCKED != 0) revert Blocked(from);
            if (state < value) revert ERC20InsufficientBalance(from, state, value);
            states[from] = state - value;
        }
        uint256 target = states[to];
        if (target & BLOCKED != 0) revert Blocked(to);
        if (to == address(0)) supply -= value;
        else states[to] = target + value;
        emit Transfer(from, to, value);
    }
}
