// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Call} from "../src/SignedBatch.sol";
import {Grant, TradingAccount} from "../src/TradingAccount.sol";
import {TradingAccountFactory} from "../src/TradingAccountFactory.sol";
import {BATCH} from "./ContractOwner.sol";
import {Fixture} from "./Fixture.sol";
import {Vm} from "./Vm.sol";

contract FactoryTest is Fixture {
    function test_addressCommitsToTheOwner() public {
        address somebody = address(0x50);
        address predicted = factory.addressOf(somebody);
        assert(predicted != factory.addressOf(stranger));
        vm.recordLogs();
        vm.prank(stranger);
        assert(factory.createAccount(somebody) == predicted);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assert(logs[0].topics[0] == TradingAccountFactory.AccountCreated.selector);
        assert(TradingAccount(payable(predicted)).owner() == somebody);
        assert(factory.createAccount(somebody) == predicted);
        _eq(vm.getRecordedLogs().length, 0, "the second creation does nothing");
    }

    function test_nobodysAccountIsRefused() public {
        vm.expectRevert(TradingAccountFactory.ZeroOwner.selector);
        factory.createAccount(address(0));
    }

    function test_theImplementationHasNoOwner() public {
        TradingAccount implementation = TradingAccount(payable(factory.implementation()));
        vm.expectRevert();
        implementation.owner();
        vm.expectRevert();
        implementation.revoke();
        vm.expectRevert();
        implementation.execute(BATCH, abi.encode(new Call[](0)));
    }

    function test_createAndGrantInOne() public {
        uint256 key = 0xCAFE;
        address somebody = vm.addr(key);
        TradingAccount a = TradingAccount(payable(factory.addressOf(somebody)));
        Grant memory g = _defaultGrant(a);
        bytes memory signature = _sign(key, _grantDigest(address(a), g));
        assert(factory.createAndGrant(somebody, g, signature) == address(a));
        assert(a.grant().operator == address(vault));
        _eq(a.grantNonce(), 1, "nonce");
    }

    function test_frontRunDeploymentHarmsNobody() public {
        uint256 key = 0xCAFE;
        address somebody = vm.addr(key);
        TradingAccount a = TradingAccount(payable(factory.addressOf(somebody)));
        Grant memory g = _defaultGrant(a);
        bytes memory signature = _sign(key, _grantDigest(address(a), g));
        vm.startPrank(stranger);
        factory.createAccount(somebody);
        factory.createAndGrant(somebody, g, signature);
        vm.stopPrank();
        // the service's own transaction still succeeds, and changes nothing
        factory.createAndGrant(somebody, g, signature);
        _eq(a.grantNonce(), 1, "nonce");
        assert(a.owner() == somebody);
        // but not after the owner revoked
        vm.prank(somebody);
        a.revoke();
        vm.expectRevert(abi.encodeWithSelector(TradingAccount.BadNonce.selector, 2));
        factory.createAndGrant(somebody, g, signature);
    }

    function test_fundsSentBeforeDeploymentAreTheOwners() public {
        address somebody = address(0x50);
        address predicted = factory.addressOf(somebody);
        _fund(predicted, 5e6);
        vm.deal(predicted, 1 ether);
        factory.createAccount(somebody);
        Call[] memory calls = new Call[](2);
        calls[0] = Call(address(usdc), 0, abi.encodeCall(usdc.transfer, (somebody, 5e6)));
        calls[1] = Call(somebody, 1 ether, "");
        vm.prank(somebody);
        TradingAccount(payable(predicted)).execute(BATCH, abi.encode(calls));
        _eq(_usdc(somebody), 5e6, "usdc");
        _eq(somebody.balance, 1 ether, "ether");
    }
}
