// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC1155Receiver} from "@openzeppelin/contracts/token/ERC1155/IERC1155Receiver.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {LeakyBucket} from "./LeakyBucket.sol";
import {OutcomeToken} from "./OutcomeToken.sol";
import {Backing, Fill, OPERATOR, Order, Redemption} from "./SwapTypes.sol";

interface IOperatedAccount {
    function operatorSwap(Order calldata order) external;
}

/// Escrow between USDC and outcome tokens. `request` locks an order's input; then either the operator
/// fills it within its limits, or the input is returned: by the operator at any time, by anyone after
/// the expiry. Markets settle after a delay, fully funded, and anyone may redeem for a holder.
///
/// The USDC of this contract is always exactly the sum of the limits of open buys, the unpaid payouts
/// of settled markets, the `claimable` credits, and `accrued`, which alone belongs to the service.
contract SwapVault is AccessControl, ReentrancyGuardTransient, IERC1155Receiver {
    using SafeERC20 for IERC20;
    using SafeCast for uint256;

    bytes32 public constant OPERATOR_ROLE = OPERATOR;
    bytes32 public constant ATTESTOR_ROLE = keccak256("ATTESTOR");
    bytes32 public constant RESOLVER_ROLE = keccak256("RESOLVER");
    bytes32 public constant PAUSER_ROLE = keccak256("PAUSER");

    /// An invitation, which `acceptTreasury` uses up.
    bytes32 private constant TREASURY_ROLE = keccak256("TREASURY");

    bytes32 private constant VENUE_ID = keccak256("kalshi");
    uint256 private constant ONE = 1e6; // one contract, one dollar
    uint256 private constant MIN_TTL = 60 seconds;
    uint256 private constant MAX_TTL = 1 days;
    /// A contract never costs more than a dollar; the exchange adds fees, rounded up to cents.
    uint256 private constant FEE_ROUNDING = 50_000;
    /// After this anyone may execute a proposal, so that absent operators cannot prevent a payout.
    uint256 private constant EXECUTION_GRACE = 7 days;

    uint8 private constant NONE = 0;
    uint8 private constant OPEN = 1;
    uint8 private constant FILLED = 2;
    uint8 private constant REFUNDED = 3;

    // Receivers' hooks and members of a batch get a limited amount of gas, so that none can use up
    // the rest; and never less, so that a gas limit that is too low cannot look like a refusal by
    // the receiver (in gas estimates, and against griefing).
    uint256 private constant HOOK_GAS = 200_000;
    uint256 private constant TRANSFER_GAS = 120_000;
    uint256 private constant ITEM_GAS = 700_000;
    uint256 private constant GAS_RESERVE = 60_000;

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

    /// One slot, so that a fill or a redemption writes only it and the holder's balance.
    struct TokenState {
        uint56 supply;
        uint56 minted; // in total: neither a sale nor a redemption lowers it
        uint56 bought; // in total, at the exchange, as attested
        uint32 backedUntil; // the end of that attestation; works until 2106
        uint24 floor; // the least micro-dollars per contract that a mint must bring
        uint24 payout; // micro-dollars per contract, once settled
        bool settled;
    }

    IERC20 public immutable usdc;
    OutcomeToken public immutable outcomeToken;

    // one slot, written by every buy
    uint64 public accrued;
    uint64 private mintCapacity; // USDC per hour
    uint64 private mintLevel;
    uint40 private mintedAt;
    bool public paused;

    // one slot, written by every sell
    uint64 private payoutCapacity; // USDC per hour
    uint64 private payoutLevel;
    uint40 private paidAt;

    // one slot, written by every settlement
    uint64 private settlementCapacity; // USDC per hour
    uint64 private settlementLevel;
    uint40 private settledAt;

    address public treasury;
    uint32 private settlementDelay = 1 hours;
    uint32 private maxBackingAge = 15 minutes;

    mapping(bytes32 orderId => uint8) public statusOf;
    mapping(uint256 tokenId => TokenState) public tokens;
    mapping(bytes32 marketKey => Market) public markets;
    mapping(address account => uint256) public claimable;
    mapping(address account => mapping(uint256 tokenId => uint256)) public claimableTokens;

    event OrderRequested(
        bytes32 indexed orderId, address indexed account, bytes32 indexed clientRef, Order order
    );
    event OrderRejected(bytes32 indexed orderId, bytes reason);
    event OrderFilled(
        bytes32 indexed orderId,
        address indexed account,
        bytes32 indexed clientRef,
        uint128 filledQuantity,
        uint128 quoteAmount,
        uint128 returnedAmount
    );
    event OrderRefunded(
        bytes32 indexed orderId, address indexed account, bytes32 indexed clientRef, uint128 amount
    );
    event FillFailed(bytes32 indexed orderId, bytes reason);
    event RefundFailed(bytes32 indexed orderId, bytes reason);
    event MarketRegistered(bytes32 indexed marketKey, string marketId);
    event BackingAttested(uint256 indexed tokenId, uint256 bought, uint256 floor);
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
    event Credited(address indexed account, uint256 amount);
    event TokensCredited(address indexed account, uint256 indexed tokenId, uint256 amount);
    event Claimed(address indexed account, uint256 amount);
    event TokensClaimed(address indexed account, uint256 indexed tokenId, uint256 amount, address to);
    event Swept(uint256 amount);
    event PauseChanged(bool paused);
    event TreasuryChanged(address treasury);
    event BucketsChanged(uint64 mintPerHour, uint64 payoutPerHour, uint64 settlementPerHour);
    event TimingsChanged(uint32 settlementDelay, uint32 maxBackingAge);
    event TokenUriBaseChanged(string base);

    error VaultPaused();
    error OnlySelf();
    error ZeroAddress();
    error OnlyOrderAccount();
    error BadOutcome();
    error BadReceiver();
    error BadQuantity();
    error BadLimit();
    error BadExpiry();
    error BadStatus(uint8 status);
    error InputNotReceived();
    error OrderExpired();
    error OrderNotExpired();
    error PriceOutsideLimit();
    error OverOneDollar();
    error BackingExceeded(uint256 minted, uint256 bought);
    error BackingStale(uint256 backedUntil);
    error BelowFloor(uint256 floor);
    error MarketNotRegistered();
    error MarketSettled();
    error MarketNotSettled();
    error NoSettlementProposed();
    error SettlementAlreadyProposed();
    error SettlementDelayRunning(uint256 finalizableAt);
    error ProposerCannotFinalize();
    error BadPayout();
    error NothingToRedeem();
    error RedemptionLosesDust();
    error NothingToClaim();
    error OnlyClaimant();
    error UnexpectedTokens();
    error InsufficientGas();
    error NotTreasuryOrAdmin();
    error NotGuardian();

    modifier whenNotPaused() {
        if (paused) revert VaultPaused();
        _;
    }

    modifier onlySelf() {
        if (msg.sender != address(this)) revert OnlySelf();
        _;
    }

    /// Starts with every limit at zero: nothing can be minted or paid out until `setBuckets`.
    constructor(IERC20 usdc_, address admin) {
        if (address(usdc_) == address(0) || admin == address(0)) revert ZeroAddress();
        usdc = usdc_;
        outcomeToken = new OutcomeToken();
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
    }

    // ---------------------------------------------------------------- orders

    /// Locks the input of the caller's own order: USDC by allowance, outcome tokens directly.
    function request(Order calldata order) external whenNotPaused nonReentrant returns (bytes32 orderId) {
        if (msg.sender != order.account) revert OnlyOrderAccount();
        orderId = _open(order);
        if (order.isBuy) {
            usdc.safeTransferFrom(order.account, address(this), order.quoteLimit);
        } else {
            outcomeToken.safeTransferFrom(
                order.account, address(this), tokenIdOf(order.marketKey, order.outcome), order.quantity, ""
            );
        }
        emit OrderRequested(orderId, order.account, order.clientRef, order);
    }

    /// Opens orders for accounts whose owner granted it. A refused order only emits `OrderRejected`.
    function requestFor(Order[] calldata orders)
        external
        onlyRole(OPERATOR_ROLE)
        whenNotPaused
        nonReentrant
        returns (bool[] memory accepted)
    {
        accepted = new bool[](orders.length);
        for (uint256 i; i < orders.length; ++i) {
            bytes memory reason;
            (accepted[i], reason) = _attempt(abi.encodeCall(this.requestTask, (orders[i])));
            if (!accepted[i]) emit OrderRejected(orderIdOf(orders[i]), reason);
        }
    }

    /// The account moves the input itself; only the vault's own balance proves it. Every other path
    /// that could raise that balance has the same reentrancy guard.
    function requestTask(Order calldata order) external onlySelf {
        bytes32 orderId = _open(order);
        uint256 held = _inputHeld(order);
        IOperatedAccount(order.account).operatorSwap(order);
        uint256 input = order.isBuy ? order.quoteLimit : order.quantity;
        if (_inputHeld(order) != held + input) revert InputNotReceived();
        emit OrderRequested(orderId, order.account, order.clientRef, order);
    }

    /// Ends an order and delivers its output, within its limits even if it is only partly filled.
    function fill(Fill calldata f) external onlyRole(OPERATOR_ROLE) whenNotPaused nonReentrant {
        _fill(f);
    }

    /// Like `fill`, one by one: a failing fill emits `FillFailed` and leaves its order open.
    function fillBatch(Fill[] calldata fills) external onlyRole(OPERATOR_ROLE) whenNotPaused nonReentrant {
        for (uint256 i; i < fills.length; ++i) {
            (bool ok, bytes memory reason) = _attempt(abi.encodeCall(this.fillTask, (fills[i])));
            if (!ok) emit FillFailed(orderIdOf(fills[i].order), reason);
        }
    }

    function fillTask(Fill calldata f) external onlySelf {
        _fill(f);
    }

    /// Returns the whole input to the account. Works while paused.
    function refund(Order calldata order) external nonReentrant {
        _refund(order, hasRole(OPERATOR_ROLE, msg.sender));
    }

    /// Like `refund`, one by one: a failing refund emits `RefundFailed`.
    function refundBatch(Order[] calldata orders) external nonReentrant {
        bool early = hasRole(OPERATOR_ROLE, msg.sender);
        for (uint256 i; i < orders.length; ++i) {
            (bool ok, bytes memory reason) = _attempt(abi.encodeCall(this.refundTask, (orders[i], early)));
            if (!ok) emit RefundFailed(orderIdOf(orders[i]), reason);
        }
    }

    function refundTask(Order calldata order, bool early) external onlySelf {
        _refund(order, early);
    }

    function orderIdOf(Order calldata order) public view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, address(this), order));
    }

    /// keccak256(abi.encode(VENUE_ID, marketKey, outcome)), without allocating memory.
    function tokenIdOf(bytes32 marketKey, uint8 outcome) public pure returns (uint256 tokenId) {
        bytes32 venueId = VENUE_ID;
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore(free, venueId)
            mstore(add(free, 0x20), marketKey)
            mstore(add(free, 0x40), and(outcome, 0xff))
            tokenId := keccak256(free, 0x60)
        }
    }

    function _open(Order calldata order) private returns (bytes32 orderId) {
        if (order.account == address(0)) revert ZeroAddress();
        if (order.receiver == address(0) || order.receiver == address(this)) revert BadReceiver();
        if (order.outcome > 1) revert BadOutcome();
        if (order.quantity == 0) revert BadQuantity();
        if (order.isBuy && order.quoteLimit == 0) revert BadLimit();
        if (order.expiry < block.timestamp + MIN_TTL || order.expiry > block.timestamp + MAX_TTL) {
            revert BadExpiry();
        }
        if (tokens[tokenIdOf(order.marketKey, order.outcome)].settled) revert MarketSettled();
        orderId = orderIdOf(order);
        if (statusOf[orderId] != NONE) revert BadStatus(statusOf[orderId]);
        statusOf[orderId] = OPEN;
    }

    function _close(Order calldata order, uint8 status) private returns (bytes32 orderId) {
        orderId = orderIdOf(order);
        if (statusOf[orderId] != OPEN) revert BadStatus(statusOf[orderId]);
        statusOf[orderId] = status;
    }

    function _fill(Fill calldata f) private {
        Order calldata order = f.order;
        bytes32 orderId = _close(order, FILLED);
        if (block.timestamp > order.expiry) revert OrderExpired();
        // A buy may bring more than its quantity, within its limit and its price.
        if (f.filledQuantity == 0 || (!order.isBuy && f.filledQuantity > order.quantity)) revert BadQuantity();
        uint256 tokenId = tokenIdOf(order.marketKey, order.outcome);
        if (tokens[tokenId].settled) revert MarketSettled();
        uint128 returned = order.isBuy ? _fillBuy(f, tokenId) : _fillSell(f, tokenId);
        emit OrderFilled(orderId, order.account, order.clientRef, f.filledQuantity, f.quoteAmount, returned);
    }

    function _fillBuy(Fill calldata f, uint256 tokenId) private returns (uint128 returned) {
        Order calldata order = f.order;
        if (uint256(f.quoteAmount) * order.quantity > uint256(order.quoteLimit) * f.filledQuantity) {
            revert PriceOutsideLimit();
        }
        if (f.quoteAmount > f.filledQuantity + FEE_ROUNDING) revert OverOneDollar();
        _addSupply(tokenId, f.filledQuantity, f.quoteAmount);
        mintLevel = LeakyBucket.fill(mintCapacity, mintLevel, mintedAt, f.quoteAmount);
        mintedAt = uint40(block.timestamp);
        accrued = (uint256(accrued) + f.quoteAmount).toUint64();
        returned = order.quoteLimit - f.quoteAmount; // reverts beyond the limit, whatever was bought
        _mint(order, tokenId, f.filledQuantity);
        _pay(order.account, order.account, returned);
    }

    function _fillSell(Fill calldata f, uint256 tokenId) private returns (uint128 returned) {
        Order calldata order = f.order;
        if (uint256(f.quoteAmount) * order.quantity < uint256(order.quoteLimit) * f.filledQuantity) {
            revert PriceOutsideLimit();
        }
        if (f.quoteAmount > f.filledQuantity) revert OverOneDollar();
        payoutLevel = LeakyBucket.fill(payoutCapacity, payoutLevel, paidAt, f.quoteAmount);
        paidAt = uint40(block.timestamp);
        _takeFunds(f.quoteAmount);
        returned = order.quantity - f.filledQuantity;
        _lowerSupply(tokens[tokenId], f.filledQuantity); // at most the escrow
        outcomeToken.burnFrom(address(this), tokenId, f.filledQuantity);
        _pay(order.receiver, order.account, f.quoteAmount);
        _returnTokens(order.account, tokenId, returned);
    }

    function _refund(Order calldata order, bool early) private {
        if (!early && block.timestamp <= order.expiry) revert OrderNotExpired();
        bytes32 orderId = _close(order, REFUNDED);
        uint128 amount = order.isBuy ? order.quoteLimit : order.quantity;
        if (order.isBuy) _pay(order.account, order.account, amount);
        else _returnTokens(order.account, tokenIdOf(order.marketKey, order.outcome), amount);
        emit OrderRefunded(orderId, order.account, order.clientRef, amount);
    }

    function _inputHeld(Order calldata order) private view returns (uint256) {
        if (order.isBuy) return usdc.balanceOf(address(this));
        return outcomeToken.balanceOf(address(this), tokenIdOf(order.marketKey, order.outcome));
    }

    // ---------------------------------------------------------------- backing

    /// Records the service's total purchases at the exchange for each token id, and the lowest price
    /// of the undelivered ones. Total mints stay within the purchases, so a sale makes no room for
    /// another mint; no mint brings less than the lowest price; and both must not be older than
    /// `maxBackingAge`.
    function attestBacking(Backing[] calldata backings) external onlyRole(ATTESTOR_ROLE) {
        uint32 until = (block.timestamp + maxBackingAge).toUint32();
        for (uint256 i; i < backings.length; ++i) {
            Backing calldata b = backings[i];
            TokenState storage token = tokens[b.tokenId];
            (token.bought, token.floor, token.backedUntil) = (b.bought, b.floor, until);
            emit BackingAttested(b.tokenId, b.bought, b.floor);
        }
    }

    /// The supply of outcome tokens, including escrowed ones.
    function supplyOf(uint256 tokenId) external view returns (uint256) {
        return tokens[tokenId].supply;
    }

    /// Registers a market of the exchange by its name; later calls change nothing. Only a registered
    /// market settles.
    function registerMarket(string calldata marketId)
        external
        onlyRole(ATTESTOR_ROLE)
        returns (bytes32 marketKey)
    {
        marketKey = keccak256(bytes(marketId));
        if (markets[marketKey].state != MarketState.Unregistered) return marketKey;
        markets[marketKey].state = MarketState.Open;
        emit MarketRegistered(marketKey, marketId);
    }

    function _addSupply(uint256 tokenId, uint256 amount, uint256 quote) private {
        TokenState storage token = tokens[tokenId];
        if (block.timestamp > token.backedUntil) revert BackingStale(token.backedUntil);
        uint256 minted = token.minted + amount;
        if (minted > token.bought) revert BackingExceeded(minted, token.bought);
        if (quote * ONE < token.floor * amount) revert BelowFloor(token.floor);
        assembly ("memory-safe") {
            sstore(token.slot, add(sload(token.slot), or(amount, shl(56, amount))))
        }
    }

    /// By no more than the supply, because the callers burn as much. `supply` and `minted` are the
    /// lowest fields of their slot, so such additions and subtractions change nothing else.
    function _lowerSupply(TokenState storage token, uint256 amount) private {
        assembly ("memory-safe") {
            sstore(token.slot, sub(sload(token.slot), amount))
        }
    }

    // ---------------------------------------------------------------- settlement

    /// Proposes the payout of one contract of each side, in micro-dollars. A pair never pays more
    /// than a dollar: (1e6, 0) and (0, 1e6) are binary, all others scalar or void.
    function proposeSettlement(bytes32 marketKey, uint256 payoutYes, uint256 payoutNo)
        external
        onlyRole(RESOLVER_ROLE)
    {
        Market storage market = markets[marketKey];
        if (market.state == MarketState.Unregistered) revert MarketNotRegistered();
        if (market.state == MarketState.Settled) revert MarketSettled();
        if (market.state == MarketState.Proposed) revert SettlementAlreadyProposed();
        if (payoutYes > ONE || payoutNo > ONE - payoutYes) revert BadPayout();
        uint256 finalizableAt = block.timestamp + settlementDelay;
        market.state = MarketState.Proposed;
        (market.payoutYes, market.payoutNo) = (uint24(payoutYes), uint24(payoutNo));
        (market.finalizableAt, market.proposer) = (uint40(finalizableAt), msg.sender);
        emit SettlementProposed(marketKey, payoutYes, payoutNo, finalizableAt);
    }

    /// Withdraws a proposal. The pauser may do so too, because an administrator behind a timelock is
    /// too slow.
    function vetoSettlement(bytes32 marketKey) external {
        if (!hasRole(DEFAULT_ADMIN_ROLE, msg.sender) && !hasRole(PAUSER_ROLE, msg.sender)) revert NotGuardian();
        Market storage market = markets[marketKey];
        if (market.state != MarketState.Proposed) revert NoSettlementProposed();
        market.state = MarketState.Open;
        emit SettlementVetoed(marketKey);
    }

    /// Executes a proposal after its delay: by an operator that did not make it, and after another
    /// week by anyone but its proposer. Takes the whole collateral first, so that every later
    /// redemption is funded. From then on no order of the market opens or fills. Reverts above the
    /// hourly cap, to be repeated when there is room.
    function finalizeSettlement(bytes32 marketKey) external nonReentrant {
        Market storage market = markets[marketKey];
        if (market.state != MarketState.Proposed) revert NoSettlementProposed();
        uint256 finalizableAt = market.finalizableAt;
        if (block.timestamp < finalizableAt) revert SettlementDelayRunning(finalizableAt);
        if (msg.sender == market.proposer) revert ProposerCannotFinalize();
        if (block.timestamp < finalizableAt + EXECUTION_GRACE) _checkRole(OPERATOR_ROLE);
        market.state = MarketState.Settled;
        uint256 collateral = _fixPayout(marketKey, 0, market.payoutYes) + _fixPayout(marketKey, 1, market.payoutNo);
        settlementLevel = LeakyBucket.fill(settlementCapacity, settlementLevel, settledAt, collateral);
        settledAt = uint40(block.timestamp);
        _takeFunds(collateral);
        emit SettlementFinalized(marketKey, market.payoutYes, market.payoutNo, collateral);
    }

    /// Burns a holder's tokens of a settled market and pays the holder. Anyone may call it; works
    /// while paused. `amount` of type(uint256).max means the whole balance.
    function redeem(address holder, bytes32 marketKey, uint8 outcome, uint256 amount) external nonReentrant {
        _redeem(holder, marketKey, outcome, amount, msg.sender);
    }

    /// Like `redeem`, one by one: a failing redemption emits `RedeemFailed`.
    function redeemBatch(Redemption[] calldata redemptions) external nonReentrant {
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
        if (outcome > 1) revert BadOutcome();
        if (holder == address(this)) revert BadReceiver(); // escrow and credits have their own functions
        uint256 tokenId = tokenIdOf(marketKey, outcome);
        TokenState storage token = tokens[tokenId];
        if (amount == type(uint256).max) amount = outcomeToken.balanceOf(holder, tokenId);
        if (!token.settled) revert MarketNotSettled();
        if (amount == 0) revert NothingToRedeem();
        uint256 payout = token.payout;
        uint256 left;
        unchecked {
            _lowerSupply(token, amount); // the token reverts if the holder has less
            left = outcomeToken.burnFrom(holder, tokenId, amount);
            payout *= amount; // at most the supply, which 56 bits hold
        }
        // another caller must not reduce a holder's balance by rounding
        if (payout % ONE != 0 && left != 0 && caller != holder) revert RedemptionLosesDust();
        payout /= ONE;
        _pay(holder, holder, payout);
        emit Redeemed(holder, marketKey, outcome, amount, payout);
    }

    /// Sets a token's payout, and returns the collateral for all its tokens.
    function _fixPayout(bytes32 marketKey, uint8 outcome, uint24 payout) private returns (uint256) {
        TokenState storage token = tokens[tokenIdOf(marketKey, outcome)];
        (token.settled, token.payout) = (true, payout);
        return Math.ceilDiv(uint256(token.supply) * payout, ONE);
    }

    // ---------------------------------------------------------------- moving funds

    /// Pays out a credit of a refused transfer, to its account only.
    function claim(address account) external nonReentrant {
        uint256 amount = claimable[account];
        if (amount == 0) revert NothingToClaim();
        claimable[account] = 0;
        usdc.safeTransfer(account, amount);
        emit Claimed(account, amount);
    }

    /// Delivers outcome tokens that a receiver refused: anyone to the account, the account to any
    /// address.
    function claimTokens(address account, uint256 tokenId, address to) external nonReentrant {
        if (msg.sender != account && to != account) revert OnlyClaimant();
        uint256 amount = claimableTokens[account][tokenId];
        if (amount == 0) revert NothingToClaim();
        if (to == address(this)) revert BadReceiver();
        claimableTokens[account][tokenId] = 0;
        outcomeToken.safeTransferFrom(address(this), to, tokenId, amount, "");
        emit TokensClaimed(account, tokenId, amount, to);
    }

    /// Pays `to`; if USDC refuses (blocked address, paused), `account`; otherwise adds a credit.
    function _pay(address to, address account, uint256 amount) private {
        if (amount == 0) return;
        _requireGas(TRANSFER_GAS);
        if (usdc.trySafeTransfer(to, amount)) return;
        _requireGas(TRANSFER_GAS);
        if (to != account && usdc.trySafeTransfer(account, amount)) return;
        claimable[account] += amount;
        emit Credited(account, amount);
    }

    /// Mints to the receiver; if it refuses, to the account; otherwise adds a credit.
    function _mint(Order calldata order, uint256 tokenId, uint256 amount) private {
        _requireGas(HOOK_GAS);
        try outcomeToken.mint{gas: HOOK_GAS}(order.receiver, tokenId, amount) {
            return;
        } catch {}
        if (order.receiver != order.account) {
            _requireGas(HOOK_GAS);
            try outcomeToken.mint{gas: HOOK_GAS}(order.account, tokenId, amount) {
                return;
            } catch {}
        }
        outcomeToken.mint(address(this), tokenId, amount);
        _creditTokens(order.account, tokenId, amount);
    }

    function _returnTokens(address account, uint256 tokenId, uint256 amount) private {
        if (amount == 0) return;
        _requireGas(HOOK_GAS);
        try outcomeToken.safeTransferFrom{gas: HOOK_GAS}(address(this), account, tokenId, amount, "") {}
        catch {
            _creditTokens(account, tokenId, amount);
        }
    }

    function _creditTokens(address account, uint256 tokenId, uint256 amount) private {
        claimableTokens[account][tokenId] += amount;
        emit TokensCredited(account, tokenId, amount);
    }

    /// Takes USDC of the service: first the accrued payments of buys, then the treasury's allowance.
    function _takeFunds(uint256 amount) private {
        uint256 available = accrued;
        if (amount <= available) {
            accrued = uint64(available - amount);
            return;
        }
        accrued = 0;
        usdc.safeTransferFrom(treasury, address(this), amount - available);
    }

    function _requireGas(uint256 amount) private view {
        if (gasleft() < amount + amount / 63 + GAS_RESERVE) revert InsufficientGas();
    }

    /// Calls this contract; a failure reverts that call only. Keeps at most 256 bytes of the reason,
    /// so that a long one costs the batch no gas.
    function _attempt(bytes memory payload) private returns (bool ok, bytes memory reason) {
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

    // ---------------------------------------------------------------- administration

    /// Sends the service's earnings to its treasury.
    function sweep(uint64 amount) external nonReentrant {
        if (msg.sender != treasury && !hasRole(DEFAULT_ADMIN_ROLE, msg.sender)) revert NotTreasuryOrAdmin();
        accrued -= amount;
        usdc.safeTransfer(treasury, amount);
        emit Swept(amount);
    }

    /// Stops new requests and fills. Refunds, redemptions and claims never stop.
    function pause() external onlyRole(PAUSER_ROLE) {
        paused = true;
        emit PauseChanged(true);
    }

    function unpause() external onlyRole(DEFAULT_ADMIN_ROLE) {
        paused = false;
        emit PauseChanged(false);
    }

    /// Makes the caller the treasury. An administrator must have granted it `TREASURY_ROLE`, and the
    /// call is needed so that no account pays by an allowance for another purpose.
    function acceptTreasury() external onlyRole(TREASURY_ROLE) {
        _revokeRole(TREASURY_ROLE, msg.sender);
        treasury = msg.sender;
        emit TreasuryChanged(msg.sender);
    }

    /// The pauser may revoke the hot keys' roles too, because an administrator behind a timelock is
    /// too slow.
    function revokeRole(bytes32 role, address holder) public override {
        bool isHot = role == OPERATOR_ROLE || role == ATTESTOR_ROLE || role == RESOLVER_ROLE;
        if (isHot && hasRole(PAUSER_ROLE, msg.sender)) _revokeRole(role, holder);
        else super.revokeRole(role, holder);
    }

    /// Caps the USDC per hour that buyers pay for mints, that sells are paid, and that settlements set
    /// aside. Resets the used amounts.
    function setBuckets(uint64 mintPerHour, uint64 payoutPerHour, uint64 settlementPerHour)
        external
        onlyRole(DEFAULT_ADMIN_ROLE)
    {
        mintedAt = paidAt = settledAt = uint40(block.timestamp);
        (mintCapacity, mintLevel) = (mintPerHour, 0);
        (payoutCapacity, payoutLevel) = (payoutPerHour, 0);
        (settlementCapacity, settlementLevel) = (settlementPerHour, 0);
        emit BucketsChanged(mintPerHour, payoutPerHour, settlementPerHour);
    }

    function setTimings(uint32 settlementDelay_, uint32 maxBackingAge_) external onlyRole(DEFAULT_ADMIN_ROLE) {
        (settlementDelay, maxBackingAge) = (settlementDelay_, maxBackingAge_);
        emit TimingsChanged(settlementDelay_, maxBackingAge_);
    }

    function setTokenUriBase(string calldata base) external onlyRole(DEFAULT_ADMIN_ROLE) {
        outcomeToken.setUriBase(base);
        emit TokenUriBaseChanged(base);
    }

    struct Parameters {
        uint256 settlementDelay; // seconds
        uint256 maxBackingAge; // seconds
        uint256 mintPerHour; // USDC, as are the next two
        uint256 payoutPerHour;
        uint256 settlementPerHour;
    }

    /// The administrator's settings, in one function: more functions make the dispatch of every call
    /// cost more gas.
    function parameters() external view returns (Parameters memory) {
        return Parameters(settlementDelay, maxBackingAge, mintCapacity, payoutCapacity, settlementCapacity);
    }

    /// The room of the hourly caps now, in USDC: for mints, for sells, for settlements.
    function rooms() external view returns (uint256 mintRoom, uint256 payoutRoom, uint256 settlementRoom) {
        mintRoom = LeakyBucket.room(mintCapacity, mintLevel, mintedAt);
        payoutRoom = LeakyBucket.room(payoutCapacity, payoutLevel, paidAt);
        settlementRoom = LeakyBucket.room(settlementCapacity, settlementLevel, settledAt);
    }

    // ---------------------------------------------------------------- ERC-1155 receiver

    /// Accepts outcome tokens only while it handles an order, so that no other transfer is lost here.
    function onERC1155Received(address, address, uint256, uint256, bytes calldata)
        external
        view
        returns (bytes4)
    {
        if (msg.sender != address(outcomeToken) || !_reentrancyGuardEntered()) revert UnexpectedTokens();
        return this.onERC1155Received.selector;
    }

    function onERC1155BatchReceived(address, address, uint256[] calldata, uint256[] calldata, bytes calldata)
        external
        pure
        returns (bytes4)
    {
        revert UnexpectedTokens();
    }

    function supportsInterface(bytes4 interfaceId) public view override(AccessControl, IERC165) returns (bool) {
        return interfaceId == type(IERC1155Receiver).interfaceId || super.supportsInterface(interfaceId);
    }
}
