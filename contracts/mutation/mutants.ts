/**
 * Small wrongs done to the contracts, one at a time; the tests must notice each. `find` occurs
 * exactly once in the file. A mutant with `justification` changes nothing that could be observed.
 */
export type Mutant = {
  file: 'SwapVault' | 'TradingAccount' | 'LeakyBucket' | 'OutcomeToken' | 'TradingAccountFactory';
  find: string;
  replace: string;
  justification?: string;
};

const vault = (find: string, replace: string, justification?: string): Mutant => ({
  file: 'SwapVault',
  find,
  replace,
  ...(justification !== undefined && { justification }),
});
const account = (find: string, replace: string): Mutant => ({
  file: 'TradingAccount',
  find,
  replace,
});

export const MUTANTS: readonly Mutant[] = [
  // who may
  vault('if (msg.sender != order.account) revert OnlyOrderAccount();', ''),
  vault('if (msg.sender != address(this)) revert OnlySelf();', ''),
  vault(
    'function fill(Fill calldata f) external onlyRole(OPERATOR_ROLE) whenNotPaused',
    'function fill(Fill calldata f) external whenNotPaused',
  ),
  vault(
    'function fill(Fill calldata f) external onlyRole(OPERATOR_ROLE) whenNotPaused',
    'function fill(Fill calldata f) external onlyRole(OPERATOR_ROLE)',
  ),
  vault('if (!early && block.timestamp <= order.expiry) revert OrderNotExpired();', ''),
  vault(
    'if (!early && block.timestamp <= order.expiry)',
    'if (!early && block.timestamp < order.expiry)',
  ),
  vault(
    'if (msg.sender != treasury && !hasRole(DEFAULT_ADMIN_ROLE, msg.sender)) revert NotTreasuryOrAdmin();',
    '',
  ),
  vault('if (msg.sender != account && to != account) revert OnlyClaimant();', ''),
  // an order's life
  vault('if (statusOf[orderId] != NONE) revert BadStatus(statusOf[orderId]);', ''),
  vault('statusOf[orderId] = OPEN;', ''),
  vault('if (statusOf[orderId] != OPEN) revert BadStatus(statusOf[orderId]);', ''),
  vault('statusOf[orderId] = status;', ''),
  vault('_close(order, REFUNDED)', '_close(order, FILLED)'),
  vault('if (block.timestamp > order.expiry) revert OrderExpired();', ''),
  vault(
    'if (block.timestamp > order.expiry) revert',
    'if (block.timestamp >= order.expiry) revert',
  ),
  vault('if (_inputHeld(order) != held + input) revert InputNotReceived();', ''),
  vault('if (_inputHeld(order) != held + input)', 'if (_inputHeld(order) < held + input)'),
  vault('order.expiry < block.timestamp + MIN_TTL ||', ''),
  vault('|| order.expiry > block.timestamp + MAX_TTL', ''),
  vault('|| order.receiver == address(this)', ''),
  // prices
  vault(
    'uint256(f.quoteAmount) * order.quantity > uint256(order.limit) * f.filledQuantity',
    'f.quoteAmount > order.limit',
  ),
  vault(
    'uint256(f.quoteAmount) * order.quantity < uint256(order.limit) * f.filledQuantity',
    'f.quoteAmount < order.limit',
  ),
  vault(
    'uint256(f.quoteAmount) * order.quantity > uint256(order.limit) * f.filledQuantity',
    'uint256(f.quoteAmount) * order.quantity >= uint256(order.limit) * f.filledQuantity',
  ),
  vault('if (f.quoteAmount > f.filledQuantity + FEE_ROUNDING) revert OverOneDollar();', ''),
  vault('if (f.quoteAmount > f.filledQuantity) revert OverOneDollar();', ''),
  vault('f.filledQuantity == 0 || f.filledQuantity > order.quantity', 'f.filledQuantity == 0'),
  vault(
    'f.filledQuantity == 0 || f.filledQuantity > order.quantity',
    'f.filledQuantity > order.quantity',
  ),
  // books
  vault('returned = order.limit - f.quoteAmount;', 'returned = 0;'),
  vault('returned = order.quantity - f.filledQuantity;', 'returned = 0;'),
  vault('accrued = (uint256(accrued) + f.quoteAmount).toUint64();', ''),
  vault('accrued = uint64(available - amount);', ''),
  vault('        accrued = 0;\n', ''),
  vault('amount - available);', 'amount);'),
  vault('accrued -= amount;', ''),
  vault('claimable[account] += amount;', 'claimable[account] = amount;'),
  vault('claimable[account] = 0;', ''),
  vault('claimableTokens[account][tokenId] = 0;', ''),
  vault(
    '_pay(order.receiver, order.account, f.quoteAmount);',
    '_pay(order.account, order.account, f.quoteAmount);',
  ),
  vault('token.supply = uint64(supply);', ''),
  vault('tokens[tokenId].supply -= uint64(amount);', ''),
  // caps
  vault('if (block.timestamp > token.backedUntil) revert BackingStale(token.backedUntil);', ''),
  vault('if (supply > token.backing) revert BackingExceeded(supply, token.backing);', ''),
  vault('mintedAt = uint40(block.timestamp);\n        accrued', 'accrued'),
  vault('payoutLevel = LeakyBucket.fill(payoutCapacity, payoutLevel, paidAt, f.quoteAmount);', ''),
  // settlement
  vault(
    'if (block.timestamp < market.finalizableAt) revert SettlementDelayRunning(market.finalizableAt);',
    '',
  ),
  vault('market.state = MarketState.Settled;', ''),
  vault('_takeFunds(collateral);', ''),
  vault(
    'Math.ceilDiv(uint256(token.supply) * payout, ONE)',
    '(uint256(token.supply) * payout / ONE)',
  ),
  vault('(token.settled, token.payout) = (true, payout);', 'token.payout = payout;'),
  vault('payoutYes > ONE || payoutNo > ONE - payoutYes', 'payoutYes > ONE || payoutNo > ONE'),
  vault('if (tokens[tokenId].settled) revert MarketSettled();\n        uint128', 'uint128'),
  vault('if (!token.settled) revert MarketNotSettled();', ''),
  vault('if (r.holder == address(this)) revert BadReceiver();', ''),
  vault('value % ONE != 0 && caller != r.holder &&', 'value % ONE != 0 &&'),
  vault('value % ONE != 0 && caller != r.holder &&', 'false &&'),
  // gas and hooks
  vault('if (gasleft() < amount + amount / 63 + GAS_RESERVE) revert InsufficientGas();', ''),
  vault('if gt(size, 256) { size := 256 }', ''),
  vault('|| !_reentrancyGuardEntered()', ''),
  vault(
    'function claim(address account) external nonReentrant',
    'function claim(address account) external',
    'USDC calls nobody back and the credit is cleared first; the guard is a second lock',
  ),
  vault(
    'function finalizeSettlement(bytes32 marketKey) external nonReentrant',
    'function finalizeSettlement(bytes32 marketKey) external',
  ),
  vault(
    'function request(Order calldata order) external whenNotPaused nonReentrant',
    'function request(Order calldata order) external whenNotPaused',
  ),
  // the account
  account('if (g.nonce != expected) revert BadNonce(expected);', ''),
  account('g.withdrawAnywhere, expected + 1)', 'g.withdrawAnywhere, expected)'),
  account('if (g.validUntil < block.timestamp) revert GrantExpired();', ''),
  account('if (msg.sender != owner_ && msg.sender != address(this)) {', 'if (false) {'),
  account('uint40 next = _terms.nextNonce + 1;', 'uint40 next = _terms.nextNonce;'),
  account('if (block.timestamp > w.deadline) revert SignatureExpired();', ''),
  account('if (msg.sender != g.operator) revert OnlyOperator();', ''),
  account('if (order.account != address(this)) revert BadOrder();', ''),
  account(
    'if (order.receiver != address(this) && order.receiver != owner()) revert BadOrder();',
    '',
  ),
  account('if (input > g.maxPerOrder) revert OverOrderCap(input, g.maxPerOrder);', ''),
  account('if (ordered > g.maxPerDay) revert OverDayCap(ordered, g.maxPerDay);', ''),
  account('usage.ordered = uint64(ordered);', ''),
  account('usage.withdrawn += uint64(amount);', ''),
  account('if (amount > remaining) revert OverWithdrawCap(amount, remaining);', ''),
  account('!g.withdrawAnywhere ||', ''),
  account('|| (token != address(usdc) && token != address(outcomeToken))', ''),
  account('if (usage.day != day) usage = Usage(day, 0, 0, 0);', ''),
  account('if (refUsed[ref]) revert RefUsed(ref);', ''),
  account(
    'if (to == address(0) || to == address(this) || to == address(vault)) revert',
    'if (to == address(0)) revert',
  ),
  account(
    'if (g.operator == address(0) || block.timestamp > g.validUntil) revert GrantExpired();',
    '',
  ),
  account(
    'return operator == address(vault)\n            && IAccessControl',
    'return IAccessControl',
  ),
  account('return caller == owner() || caller == address(this);', 'return true;'),
  account('if (recovered == signer) return true;', 'if (recovered != address(0)) return true;'),
  {
    file: 'LeakyBucket',
    find: 'if (amount > free) revert BucketOverflow(amount, free);',
    replace: '',
  },
  { file: 'LeakyBucket', find: '/ 1 hours', replace: '/ 30 minutes' },
  { file: 'OutcomeToken', find: 'if (msg.sender != vault) revert OnlyVault();', replace: '' },
  { file: 'OutcomeToken', find: 'operator == vault ||', replace: '' },
  {
    file: 'TradingAccountFactory',
    find: 'if (owner == address(0)) revert ZeroOwner();',
    replace: '',
  },
];
