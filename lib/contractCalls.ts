import { parseAbi } from 'viem';

/**
 * The calls that a browser sends or explains: a fraction of contracts/abi, which keeps pages light.
 */
export const contractCallsAbi = parseAbi([
  'struct Order { address account; address receiver; bytes32 marketKey; uint8 outcome; bool isBuy; uint128 quantity; uint128 quoteLimit; uint64 expiry; bytes32 clientRef; uint128 salt; }',
  'function approve(address spender, uint256 value) external returns (bool)',
  'function createAccount(address owner) external returns (address account)',
  'function execute(bytes32 mode, bytes executionData) external payable',
  'function merge(bytes32 marketKey, uint256 amount) external',
  'function request(Order order) external returns (bytes32 orderId)',
  'function revoke() external',
  'function transfer(address to, uint256 value) external returns (bool)',
]);
