// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TradingAccountFactory} from "../src/TradingAccountFactory.sol";
import {Fixture} from "./Fixture.sol";
import {Vm} from "./Vm.sol";

contract PermitDepositTest is Fixture {
    uint256 private constant NEW_KEY = 0xC0FFEE;
    uint256 private constant DEADLINE = START + 60;

    struct Signature {
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    address private holder;
    address private itsAccount;

    function setUp() public override {
        super.setUp();
        holder = vm.addr(NEW_KEY);
        itsAccount = factory.addressOf(holder);
        _fund(holder, 100e6);
    }

    function _permit(uint256 key, address spender, uint256 amount, uint256 nonce)
        private
        view
        returns (Signature memory sig)
    {
        bytes32 typeHash =
            keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 structHash = keccak256(abi.encode(typeHash, vm.addr(key), spender, amount, nonce, DEADLINE));
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", usdc.DOMAIN_SEPARATOR(), structHash));
        (sig.v, sig.r, sig.s) = vm.sign(key, digest);
    }

    function _deposit(uint256 amount, Signature memory sig) private {
        vm.prank(stranger);
        factory.depositWithPermit(holder, amount, DEADLINE, sig.v, sig.r, sig.s);
    }

    function _refused(uint256 amount, Signature memory sig) private {
        vm.expectRevert(TradingAccountFactory.NothingPermitted.selector);
        _deposit(amount, sig);
        _eq(_usdc(holder), 100e6, "nothing moved");
    }

    function test_movesWhatIsPermittedIntoTheAccountOnce() public {
        Signature memory sig = _permit(NEW_KEY, address(factory), 40e6, 0);
        vm.recordLogs();
        _deposit(40e6, sig);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        Vm.Log memory last = logs[logs.length - 1];
        assert(last.topics[0] == TradingAccountFactory.PermitDeposited.selector);
        assert(last.topics[1] == bytes32(uint256(uint160(holder))) && last.emitter == address(factory));
        assert(keccak256(last.data) == keccak256(abi.encode(40e6, 1)));
        _eq(_usdc(itsAccount), 40e6, "account");
        _eq(_usdc(holder), 60e6, "wallet");
        _eq(itsAccount.code.length, 0, "not deployed");
        vm.expectRevert(TradingAccountFactory.NothingPermitted.selector);
        _deposit(40e6, sig);
        _eq(_usdc(itsAccount), 40e6, "once");
    }

    function test_aPermitThatSomeoneElseGaveToUsdcIsAsGood() public {
        Signature memory sig = _permit(NEW_KEY, address(factory), 40e6, 0);
        vm.prank(stranger);
        usdc.permit(holder, address(factory), 40e6, DEADLINE, sig.v, sig.r, sig.s);
        _deposit(40e6, sig);
        _eq(_usdc(itsAccount), 40e6, "account");
    }

    /// Whatever a stranger sends, what was permitted moves whole, to the same account.
    function test_aStrangerNeitherStopsNorDividesADeposit() public {
        Signature memory sig = _permit(NEW_KEY, address(factory), 40e6, 0);
        usdc.permit(holder, address(factory), 40e6, DEADLINE, sig.v, sig.r, sig.s);
        _deposit(1, Signature(27, bytes32(uint256(1)), bytes32(uint256(1))));
        _eq(_usdc(itsAccount), 40e6, "account");
        _eq(usdc.allowance(holder, address(factory)), 0, "nothing is left to take");
    }

    function test_movesNothingThatWasNotPermitted() public {
        Signature memory sig = _permit(NEW_KEY, address(factory), 40e6, 0);
        _refused(40e6 + 1, sig);
        _refused(40e6, _permit(NEW_KEY, stranger, 40e6, 0));
        _refused(40e6, _permit(NEW_KEY, address(factory), 40e6, 1));
        _refused(40e6, _permit(OTHER_KEY, address(factory), 40e6, 0));
        vm.warp(DEADLINE + 1);
        _refused(40e6, sig);
    }

    function test_moreThanTheWalletHoldsLeavesThePermitUnused() public {
        Signature memory sig = _permit(NEW_KEY, address(factory), 100e6 + 1, 0);
        vm.expectRevert();
        _deposit(100e6 + 1, sig);
        _eq(usdc.nonces(holder), 0, "nonce");
    }

    function testFuzz_onlyTheOwnersAccountGains(uint256 amount, address sender) public {
        amount = 1 + (amount % 100e6);
        Signature memory sig = _permit(NEW_KEY, address(factory), amount, 0);
        vm.prank(sender);
        factory.depositWithPermit(holder, amount, DEADLINE, sig.v, sig.r, sig.s);
        _eq(_usdc(itsAccount), amount, "account");
        _eq(_usdc(holder), 100e6 - amount, "wallet");
    }
}
