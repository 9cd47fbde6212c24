// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";

interface ISupplyBook {
    function supplyOf(uint256 id) external view returns (uint256);
}

/// Shares of prediction-market outcomes: one id per market and side, six decimals, each whole token
/// worth at most one dollar at settlement. Only the vault that deployed it mints and burns, and the
/// vault alone may move tokens without an approval, so that selling needs no second transaction.
contract OutcomeToken is ERC1155 {
    string public constant name = "Crossbook Outcome";
    string public constant symbol = "OUTCOME";
    uint8 public constant decimals = 6;

    address public immutable vault;

    error OnlyVault();

    modifier onlyVault() {
        if (msg.sender != vault) revert OnlyVault();
        _;
    }

    constructor() ERC1155("") {
        vault = msg.sender;
    }

    /// Mints, and calls the receiver's ERC-1155 hook when it is a contract.
    function mint(address to, uint256 id, uint256 amount) external onlyVault {
        _mint(to, id, amount, "");
    }

    function burn(address from, uint256 id, uint256 amount) external onlyVault {
        _burn(from, id, amount);
    }

    /// All tokens of an id, escrowed ones included. The vault keeps the book, beside the backing.
    function totalSupply(uint256 id) external view returns (uint256) {
        return ISupplyBook(vault).supplyOf(id);
    }

    /// Metadata lives at `{base}/v1/tokens/{id}`.
    function setUriBase(string calldata base) external onlyVault {
        _setURI(string.concat(base, "/v1/tokens/{id}"));
    }

    function isApprovedForAll(address holder, address operator) public view override returns (bool) {
        return operator == vault || super.isApprovedForAll(holder, operator);
    }
}
