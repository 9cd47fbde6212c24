// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC7821} from "@openzeppelin/contracts/account/extensions/draft-ERC7821.sol";
import {ERC1155Holder} from "@openzeppelin/contracts/token/ERC1155/utils/ERC1155Holder.sol";

/// What the sandbox's smart demo wallet lends to its own address (EIP-7702), so that several calls go
/// through as one. Only the address itself may run them. It is no part of a deployment.
contract BatchingWallet is ERC7821, ERC1155Holder {
    receive() external payable {}
}
