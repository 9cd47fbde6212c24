CREATE TABLE "market_settlements" (
	"ticker" text PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"market_key" text NOT NULL,
	"payout_yes_micros" bigint NOT NULL,
	"state" text NOT NULL,
	"finalizable_at" timestamp (3) with time zone,
	"collateral_usdc_micros" bigint,
	"transaction_hash" text,
	"settled_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"final_at" timestamp (3) with time zone,
	CONSTRAINT "market_settlements_id" UNIQUE("id"),
	CONSTRAINT "market_settlements_key" UNIQUE("market_key")
);
--> statement-breakpoint
CREATE TABLE "redemptions" (
	"transaction_hash" text NOT NULL,
	"log_index" integer NOT NULL,
	"block_number" bigint NOT NULL,
	"holder" text NOT NULL,
	"market_key" text NOT NULL,
	"outcome" integer NOT NULL,
	"contract_micros" bigint NOT NULL,
	"payout_usdc_micros" bigint NOT NULL,
	CONSTRAINT "redemptions_transaction_hash_log_index_pk" PRIMARY KEY("transaction_hash","log_index")
);
--> statement-breakpoint
CREATE TABLE "settlement_events" (
	"transaction_hash" text NOT NULL,
	"log_index" integer NOT NULL,
	"block_number" bigint NOT NULL,
	"kind" text NOT NULL,
	"market_key" text NOT NULL,
	"payout_yes_micros" bigint,
	"payout_no_micros" bigint,
	"finalizable_at" bigint,
	"collateral_usdc_micros" bigint,
	CONSTRAINT "settlement_events_transaction_hash_log_index_pk" PRIMARY KEY("transaction_hash","log_index")
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "auto_redeem" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "is_redemption" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "market_settlements_by_state" ON "market_settlements" USING btree ("state");--> statement-breakpoint
CREATE INDEX "redemptions_by_holder" ON "redemptions" USING btree ("holder","market_key","outcome");--> statement-breakpoint
CREATE INDEX "redemptions_block" ON "redemptions" USING btree ("block_number");--> statement-breakpoint
CREATE INDEX "settlement_events_by_market" ON "settlement_events" USING btree ("market_key","block_number","log_index");--> statement-breakpoint
CREATE INDEX "settlement_events_block" ON "settlement_events" USING btree ("block_number");--> statement-breakpoint
CREATE INDEX "orders_open_by_market" ON "orders" USING btree ("ticker") WHERE not is_complete;