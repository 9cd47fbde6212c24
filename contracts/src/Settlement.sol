// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {Payments} from "./Payments.sol";
import {ADMIN, ATTESTOR, ONE, OPERATOR, PAUSER, Redemption, RESOLVER} from "./SwapTypes.sol";

/// What the settlement needs of the vault that deployed it.
interface ISettledVault is IAccessControl {
    function settlementDelay() external view returns (uint32);

    function fixPayouts(bytes32 marketKey, uint24 payoutYes, uint24 payoutNo) external returns (uint256 collateral);

    function burnPaid(address holder, bytes32 marketKey, uint8 outcome, uint256 amount)
        external
        returns (uint256 burned, uint256 left, uint256 payout);

    function payForPairs(address holder, bytes32 marketKey, uint256 amount) external returns (bool byTreasury);
}

/// Outcomes of markets, and their payout. A market settles after a delay, fully funded, and anyone may
/// redeem for a holder. Before that, a holder of both sides merges them. Has no administration of its
/// own: the vault knows who holds which role, and caps the collateral.
///
/// The USDC of this contract is always exactly the unpaid payouts of settled markets and the
/// `claimable` credits; none of it belongs to the service. It calls the vault, the token and USDC only,
/// none of which calls a stranger meanwhile, so its functions need no lock.
contract Settlement is Payments {
    /// After this anyone may execute a proposal, so that absent operators cannot prevent a payout.
    uint256 private constant EXECUTION_GRACE = 7 days;

    enum MarketState {
        Unregistered,
        Open,
        Proposed,
        Settled
    }

    /// One slot.
    struct Market {
        uint24 payoutYes;
        uint24 payoutNo;
        uint40 finalizableAt;
        MarketState state;
        address proposer; // who may not execute the proposal
    }

    ISettledVault public immutable vault;

    mapping(bytes32 marketKey => Market) public markets;

    event MarketRegistered(bytes32 indexed marketKey, string marketId);
    event SettlementProposed(
        bytes32 indexed marketKey, uint256 payoutYes, uint256 payoutNo, uint256 finalizableAt
    );
    event SettlementVetoed(bytes32 indexed marketKey);
    event SettlementFinalized(
        bytes32 indexed marketKey, uint256 payoutYes, uint256 payoutNo, uint256 collateral
    );
    event Redeemed(
        address indexed holder, bytes32 indexed marketKey, uint8 outcome, uint256 amount, uint256 payout
    );
    event RedeemFailed(
        address indexed holder, bytes32 indexed marketKey, uint8 outcome, bytes reason
    );
    /// `byTreasury`: the treasury paid, else the vault's earnings did.
    event PairsMerged(address indexed holder, bytes32 indexed marketKey, uint256 amount, bool byTreasury);

    error MarketNotRegistered();
    error MarketSettled();
    error NoSettlementProposed();
    error SettlementAlreadyProposed();
    error SettlementDelayRunning(uint256 finalizableAt);
    error ProposerCannotFinalize();
    error BadPayout();
    error NothingToRedeem();
    error RedemptionLosesDust();
    error NotGuardian();
    error NothingToMerge();
    error PairBelowOneDollar();

    modifier onlyRole(bytes32 role) {
        _checkRole(role);
        _;
    }

    /// Deployed once by the vault.
    constructor(IERC20 usdc_) Payments(usdc_) {
        vault = ISettledVault(msg.sender);
    }

    // ---------------------------------------------------------------- outcomes

    /// Registers a market of the exchange by its name; later calls change nothing. Only a registered
    /// market settles.
    function registerMarket(string calldata marketId) external onlyRole(ATTESTOR) returns (bytes32 marketKey) {
        marketKey = keccak256(bytes(marketId));
        if (markets[marketKey].state != MarketState.Unregistered) return marketKey;
        markets[marketKey].state = MarketState.Open;
        emit MarketRegistered(marketKey, marketId);
    }

    /// Proposes the payout of one contract of each side, in micro-dollars. A pair never pays more
    /// than a dollar: (1e6, 0) and (0, 1e6) are binary, all others scalar or void.
    function proposeSettlement(bytes32 marketKey, uint256 payoutYes, uint256 payoutNo) external onlyRole(RESOLVER) {
        Market storage market = markets[marketKey];
        if (market.state == MarketState.Unregistered) revert MarketNotRegistered();
        if (market.state == MarketState.Settled) revert MarketSettled();
        if (market.state == MarketState.Proposed) revert SettlementAlreadyProposed();
        if (payoutYes > ONE || payoutNo > ONE - payoutYes) revert BadPayout();
        uint256 finalizableAt = block.timestamp + vault.settlementDelay();
        market.state = MarketState.Proposed;
        (market.payoutYes, market.payoutNo) = (uint24(payoutYes), uint24(payoutNo));
        (market.finalizableAt, market.proposer) = (uint40(finalizableAt), msg.sender);
        emit SettlementProposed(marketKey, payoutYes, payoutNo, finalizableAt);
    }

    /// Withdraws a proposal. The pauser may do so too, because an administrator behind a timelock is
    /// too slow.
    function vetoSettlement(bytes32 marketKey) external {
        if (!vault.hasRole(ADMIN, msg.sender) && !vault.hasRole(PAUSER, msg.sender)) revert NotGuardian();
        Market storage market = markets[marketKey];
        if (market.state != MarketState.Proposed) revert NoSettlementProposed();
        market.state = MarketState.Open;
        emit SettlementVetoed(marketKey);
    }

    /// Executes a proposal after its delay: by an operator that did not make it, and after another
    /// week by anyone but its proposer. Takes the whole collateral from the vault first, so that every
    /// later redemption is funded. From then on no order of the market opens or fills. Reverts above
    /// the vault's hourly cap, to be repeated when there is room.
    function finalizeSettlement(bytes32 marketKey) external {
        Market storage market = markets[marketKey];
        if (market.state != MarketState.Proposed) revert NoSettlementProposed();
        uint256 finalizableAt = market.finalizableAt;
        if (block.timestamp < finalizableAt) revert SettlementDelayRunning(finalizableAt);
        if (msg.sender == market.proposer) revert ProposerCannotFinalize();
        if (block.timestamp < finalizableAt + EXECUTION_GRACE) _checkRole(OPERATOR);
        market.state = MarketState.Settled;
        (uint24 payoutYes, uint24 payoutNo) = (market.payoutYes, market.payoutNo);
        uint256 collateral = vault.fixPayouts(marketKey, payoutYes, payoutNo);
        emit SettlementFinalized(marketKey, payoutYes, payoutNo, collateral);
    }

    // ---------------------------------------------------------------- redemption

    /// Burns a holder's tokens of a settled market and pays the holder. Anyone may call it; works
    /// while paused. `amount` of type(uint256).max means the whole balance.
    function redeem(address holder, bytes32 marketKey, uint8 outcome, uint256 amount) external {
        _redeem(holder, marketKey, outcome, amount, msg.sender);
    }

    /// Like `redeem`, one by one: a failing redemption emits `RedeemFailed`.
    function redeemBatch(Redemption[] calldata redemptions) external {
        for (uint256 i; i < redemptions.length; ++i) {
            Redemption calldata r = redemptions[i];
            (bool ok, bytes memory reason) = _attempt(abi.encodeCall(this.redeemTask, (r, msg.sender)));
            if (!ok) emit RedeemFailed(r.holder, r.marketKey, r.outcome, reason);
        }
    }

    function redeemTask(Redemption calldata r, address caller) external onlySelf {
        _redeem(r.holder, r.marketKey, r.outcome, r.amount, caller);
    }

    function _redeem(address holder, bytes32 marketKey, uint8 outcome, uint256 amount, address caller) private {
        (uint256 burned, uint256 left, uint256 payout) = vault.burnPaid(holder, marketKey, outcome, amount);
        if (burned == 0) revert NothingToRedeem();
        uint256 micros;
        unchecked {
            micros = burned * payout; // at most 56 and 20 bits
        }
        // another caller must not reduce a holder's balance by rounding
        if (micros % ONE != 0 && left != 0 && caller != holder) revert RedemptionLosesDust();
        uint256 amountPaid = micros / ONE;
        _pay(holder, holder, amountPaid);
        emit Redeemed(holder, marketKey, outcome, burned, amountPaid);
    }

    // ---------------------------------------------------------------- merging

    /// Burns `amount` of the caller's tokens of each side and pays a dollar for each pair, before the
    /// market settles. Refused while the vault is paused, and while a proposal pays a pair less than a
    /// dollar: the difference would be the service's loss.
    function merge(bytes32 marketKey, uint256 amount) external {
        Market storage market = markets[marketKey];
        MarketState state = market.state;
        if (state == MarketState.Settled) revert MarketSettled();
        if (state == MarketState.Proposed && uint256(market.payoutYes) + market.payoutNo != ONE) {
            revert PairBelowOneDollar();
        }
        if (amount == 0) revert NothingToMerge();
        bool byTreasury = vault.payForPairs(msg.sender, marketKey, amount);
        emit PairsMerged(msg.sender, marketKey, amount, byTreasury);
    }

    /// Fails like the vault's own functions.
    function _checkRole(bytes32 role) private view {
        if (!vault.hasRole(role, msg.sender)) {
            revert IAccessControl.AccessControlUnauthorizedAccount(msg.sender, role);
        }
    }
}
