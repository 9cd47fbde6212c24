// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {ERC1155Utils} from "@openzeppelin/contracts/token/ERC1155/utils/ERC1155Utils.sol";

import {ADMIN} from "./SwapTypes.sol";

interface ISupplyBook {
    function supplyOf(uint256 id) external view returns (uint256);
}

/// Shares of prediction-market outcomes: one id per market and side, six decimals, each whole token
/// worth at most one dollar at settlement. Only the vault that deployed it mints and burns. Only the
/// vault may move tokens without an approval, so that selling needs no second transaction.
///
/// Balances are stored here and not in the base contract, which would handle every single id as an
/// array of one: each fill and each redemption would cost hundreds of gas more.
contract OutcomeToken is ERC1155 {
    string public constant name = "Crossbook Outcome";
    string public constant symbol = "OUTCOME";
    uint8 public constant decimals = 6;

    address public immutable vault;

    struct Balance {
        uint256 amount;
    }

    mapping(uint256 id => mapping(address holder => Balance)) private balances;

    event UriBaseChanged(string base);

    error OnlyVault();
    error OnlyAdmin();

    modifier onlyVault() {
        if (msg.sender != vault) revert OnlyVault();
        _;
    }

    constructor() ERC1155("") {
        vault = msg.sender;
    }

    function balanceOf(address holder, uint256 id) public view override returns (uint256) {
        return balances[id][holder].amount;
    }

    /// Mints, and calls the receiver's ERC-1155 hook when it is a contract.
    function mint(address to, uint256 id, uint256 amount) external onlyVault {
        _credit(to, id, amount);
        emit TransferSingle(msg.sender, address(0), to, id, amount);
        ERC1155Utils.checkOnERC1155Received(msg.sender, address(0), to, id, amount, "");
    }

    /// Burns, and returns the holder's remaining balance.
    function burnFrom(address holder, uint256 id, uint256 amount) external onlyVault returns (uint256 left) {
        left = _debit(holder, id, amount);
        emit TransferSingle(msg.sender, holder, address(0), id, amount);
    }

    /// Burns as much of both ids.
    function burnPair(uint256 id, uint256 otherId, address holder, uint256 amount) external onlyVault {
        _debit(holder, id, amount);
        _debit(holder, otherId, amount);
        uint256[] memory ids = new uint256[](2);
        uint256[] memory amounts = new uint256[](2);
        (ids[0], ids[1]) = (id, otherId);
        (amounts[0], amounts[1]) = (amount, amount);
        emit TransferBatch(msg.sender, holder, address(0), ids, amounts);
    }

    /// All tokens of an id, including escrowed ones. The vault stores the supply beside the backing.
    function totalSupply(uint256 id) external view returns (uint256) {
        return ISupplyBook(vault).supplyOf(id);
    }

    /// Metadata lives at `{base}/v1/tokens/{id}`. The vault knows who administers both.
    function setUriBase(string calldata base) external {
        if (!IAccessControl(vault).hasRole(ADMIN, msg.sender)) revert OnlyAdmin();
        _setURI(string.concat(base, "/v1/tokens/{id}"));
        emit UriBaseChanged(base);
    }

    function isApprovedForAll(address holder, address operator) public view override returns (bool) {
        return operator == vault || super.isApprovedForAll(holder, operator);
    }

    /// Every transfer of the base contract ends here; neither address is zero, because mints and
    /// burns do not.
    function _update(address from, address to, uint256[] memory ids, uint256[] memory amounts) internal override {
        if (ids.length != amounts.length) revert ERC1155InvalidArrayLength(ids.length, amounts.length);
        for (uint256 i; i < ids.length; ++i) {
            _debit(from, ids[i], amounts[i]);
            _credit(to, ids[i], amounts[i]);
        }
        if (ids.length == 1) emit TransferSingle(msg.sender, from, to, ids[0], amounts[0]);
        else emit TransferBatch(msg.sender, from, to, ids, amounts);
    }

    function _debit(address from, uint256 id, uint256 amount) private returns (uint256 left) {
        Balance storage balance = balances[id][from];
        uint256 held = balance.amount;
        if (held < amount) revert ERC1155InsufficientBalance(from, held, amount, id);
        unchecked {
            left = held - amount;
        }
        balance.amount = left;
    }

    function _credit(address to, uint256 id, uint256 amount) private {
        balances[id][to].amount += amount;
    }
}
