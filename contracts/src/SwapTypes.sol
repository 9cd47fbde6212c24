// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

uint256 constant ONE = 1e6; // one contract, one dollar

// The vault's roles.
bytes32 constant ADMIN = 0; // grants all roles
bytes32 constant OPERATOR = keccak256("OPERATOR"); // acts for all accounts that granted the vault
bytes32 constant ATTESTOR = keccak256("ATTESTOR");
bytes32 constant RESOLVER = keccak256("RESOLVER");
bytes32 constant PAUSER = keccak256("PAUSER");

/// An order to swap USDC for outcome tokens (buy) or back (sell). The chain stores only its hash.
/// All quantities have six decimals: 1e6 is one contract, or one dollar.
struct Order {
    address account; // pays the input and receives the rest or the refund
    address receiver; // receives the output
    bytes32 marketKey; // keccak256 of the exchange's ticker
    uint8 outcome; // 0 yes, 1 no
    bool isBuy;
    uint128 quantity; // buy: contracts that the whole limit buys at the worst price; sell: contracts to sell (escrowed)
    uint128 quoteLimit; // buy: most USDC in, fees included (escrowed); sell: least USDC out
    uint64 expiry; // last second in which the order can be filled
    bytes32 clientRef; // the service's reference, only for events
    uint128 salt;
}

/// A delivery states what the order has reached with it, so that a repeated one changes nothing.
struct Fill {
    Order order;
    uint104 filledTotal; // contracts delivered
    uint104 quoteTotal; // USDC charged (buy) or paid (sell) for them
    bool isLast; // ends the order and returns the rest of its input
}

/// What has become of an order.
struct Progress {
    uint8 status;
    uint40 endsAt; // the last second for a fill that the account asked for; zero if it did not
    uint104 filled; // contracts delivered
    uint104 charged; // USDC charged (buy) or paid (sell) for them
}

struct Redemption {
    address holder;
    bytes32 marketKey;
    uint8 outcome;
    uint256 amount; // type(uint256).max means the whole balance
}

/// The attestor's statement about one outcome token.
struct Backing {
    uint256 tokenId;
    uint56 bought; // contracts bought at the exchange for it in total: sales deduct nothing
    uint24 floor; // lowest price of an undelivered purchase, micro-dollars per contract
}
