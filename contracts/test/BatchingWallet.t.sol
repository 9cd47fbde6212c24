// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Account} from "@openzeppelin/contracts/account/Account.sol";

import {BatchingWallet} from "../src/BatchingWallet.sol";
import {Call} from "../src/SignedBatch.sol";
import {BATCH} from "./ContractOwner.sol";
import {Fixture} from "./Fixture.sol";

contract BatchingWalletTest is Fixture {
    function test_onlyTheAddressItselfRunsCalls() public {
        BatchingWallet wallet = new BatchingWallet();
        _fund(address(wallet), 5);
        Call[] memory calls = new Call[](2);
        calls[0] = Call(address(usdc), 0, abi.encodeCall(usdc.transfer, (stranger, 2)));
        calls[1] = Call(address(usdc), 0, abi.encodeCall(usdc.transfer, (other, 3)));
        address[3] memory others = [stranger, owner, ENTRY_POINT];
        for (uint256 i; i < others.length; ++i) {
            vm.prank(others[i]);
            vm.expectRevert(abi.encodeWithSelector(Account.AccountUnauthorized.selector, others[i]));
            wallet.execute(BATCH, abi.encode(calls));
        }
        vm.prank(address(wallet));
        wallet.execute(BATCH, abi.encode(calls));
        _eq(_usdc(stranger), 2, "first");
        _eq(_usdc(other), 3, "second");
    }
}
