// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

// Every holder of this role of the vault acts for all accounts that granted the vault.
bytes32 constant OPERATOR = keccak256("OPERATOR");

/// One intent to swap USDC for outcome tokens (buy) or back (sell). Known on chain only by its hash.
/// All quantities carry six decimals: 1e6 is one contract, or one dollar.
struct Order {
    address account; // pays the input and receives every leftover and refund
    address receiver; // receives the output
    bytes32 marketKey; // keccak256 of the exchange's ticker
    uint8 outcome; // 0 yes, 1 no
    bool isBuy;
    uint128 quantity; // contracts to buy, or contracts to sell (escrowed)
    uint128 quoteLimit; // buy: most USDC in, fees included (escrowed); sell: least USDC out
    uint64 expiry; // last second in which the order can be filled
    bytes32 clientRef; // the service's reference, only echoed in events
    uint128 salt;
}

struct Fill {
    Order order;
    uint128 filledQuantity;
    uint128 quoteAmount; // USDC charged (buy) or paid out (sell)
}

struct Redemption {
    address holder;
    bytes32 marketKey;
    uint8 outcome;
    uint256 amount; // type(uint256).max means the whole balance
}

/// What the attestor says of one outcome token.
struct Backing {
    uint256 tokenId;
    uint56 bought; // contracts bought at the exchange for it, ever: sales take nothing off
    uint24 floor; // lowest price of a purchase not yet delivered, micro-dollars per contract
}
