// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Fill, Order} from "../src/SwapTypes.sol";
import {Fixture} from "./Fixture.sol";

/// Orders that rest: filled in parts, for as long as their account lets them.
abstract contract RestingFixture is Fixture {
    function _restingBuy(uint128 quantity, uint128 limit) internal returns (Order memory o) {
        o = _buy(address(account), quantity, limit);
        o.expiry = uint64(vm.getBlockTimestamp() + 90 days);
        _request(o);
    }

    function _restingSell(uint128 quantity, uint128 limit) internal returns (Order memory o) {
        _acquire(address(account), MARKET, 0, quantity);
        o = _sell(address(account), quantity, limit);
        o.expiry = uint64(vm.getBlockTimestamp() + 90 days);
        _request(o);
    }

    function _requestEnd(Order memory o) internal {
        vm.prank(o.account);
        vault.requestEnd(o);
    }

    function _refused(Fill memory f, bytes4 reason) internal {
        (uint8 status, uint40 endsAt, uint104 filled, uint104 charged) = vault.progressOf(vault.orderIdOf(f.order));
        vm.prank(operator);
        vm.expectPartialRevert(reason);
        vault.fill(f);
        _isAt(f.order, status, endsAt, filled, charged);
    }

    function _isAt(Order memory o, uint256 status, uint256 endsAt, uint256 filled, uint256 charged) internal view {
        (uint8 status_, uint40 endsAt_, uint104 filled_, uint104 charged_) = vault.progressOf(vault.orderIdOf(o));
        _eq(status_, status, "status");
        _eq(endsAt_, endsAt, "endsAt");
        _eq(filled_, filled, "filled");
        _eq(charged_, charged, "charged");
    }
}
