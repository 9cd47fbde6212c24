// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC7821} from "@openzeppelin/contracts/account/extensions/draft-ERC7821.sol";
import {ERC1155Holder} from "@openzeppelin/contracts/token/ERC1155/utils/ERC1155Holder.sol";

/// The code that the sandbox's smart demo wallet delegates to (EIP-7702), so that it can send several
/// calls as one. Only the wallet itself may run them. Not part of a deployment.
contract BatchingWallet is ERC7821, ERC1155Holder {
    receive() external payable {}
}
