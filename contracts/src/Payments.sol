// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// Payments of USDC that nobody can obstruct: what an address refuses becomes its credit, and the
/// members of a batch fail one by one. Both limit the gas of what they call, so that it cannot use up
/// the rest; and never give less, so that a gas limit that is too low cannot look like a refusal (in
/// gas estimates, and against griefing).
abstract contract Payments is ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    uint256 private constant TRANSFER_GAS = 120_000;
    uint256 private constant ITEM_GAS = 700_000;
    uint256 private constant GAS_RESERVE = 60_000;

    IERC20 public immutable usdc;

    mapping(address account => uint256) public claimable;

    event Credited(address indexed account, uint256 amount);
    event Claimed(address indexed account, uint256 amount);

    error ZeroAddress();
    error OnlySelf();
    error NothingToClaim();
    error InsufficientGas();

    modifier onlySelf() {
        if (msg.sender != address(this)) revert OnlySelf();
        _;
    }

    constructor(IERC20 usdc_) {
        if (address(usdc_) == address(0)) revert ZeroAddress();
        usdc = usdc_;
    }

    /// Pays out a credit of a refused transfer, to its account only.
    function claim(address account) external nonReentrant {
        uint256 amount = claimable[account];
        if (amount == 0) revert NothingToClaim();
        claimable[account] = 0;
        usdc.safeTransfer(account, amount);
        emit Claimed(account, amount);
    }

    /// Pays `to`; if USDC refuses (blocked address, paused), `account`; otherwise adds a credit.
    function _pay(address to, address account, uint256 amount) internal {
        if (amount == 0) return;
        _requireGas(TRANSFER_GAS);
        if (usdc.trySafeTransfer(to, amount)) return;
        _requireGas(TRANSFER_GAS);
        if (to != account && usdc.trySafeTransfer(account, amount)) return;
        claimable[account] += amount;
        emit Credited(account, amount);
    }

    function _requireGas(uint256 amount) internal view {
        if (gasleft() < amount + amount / 63 + GAS_RESERVE) revert InsufficientGas();
    }

    /// Calls this contract; a failure reverts that call only. Keeps at most 256 bytes of the reason,
    /// so that a long one costs the batch no gas.
    function _attempt(bytes memory payload) internal returns (bool ok, bytes memory reason) {
        _requireGas(ITEM_GAS);
        assembly ("memory-safe") {
            ok := call(ITEM_GAS, address(), 0, add(payload, 0x20), mload(payload), 0, 0)
            if iszero(ok) {
                let size := returndatasize()
                if gt(size, 256) { size := 256 }
                reason := mload(0x40)
                mstore(0x40, add(reason, add(0x20, and(add(size, 0x1f), not(0x1f)))))
                mstore(reason, size)
                returndatacopy(add(reason, 0x20), 0, size)
            }
        }
    }
}
