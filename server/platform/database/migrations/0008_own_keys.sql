CREATE TABLE "passkeys" (
	"credential_id" text PRIMARY KEY NOT NULL,
	"public_key" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "relay_budgets" (
	"scope" text PRIMARY KEY NOT NULL,
	"period_start" timestamp (3) with time zone NOT NULL,
	"used_count" integer NOT NULL,
	"used_usd_micros" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pair_merges" (
	"transaction_hash" text NOT NULL,
	"log_index" integer NOT NULL,
	"block_number" bigint NOT NULL,
	"holder" text NOT NULL,
	"market_key" text NOT NULL,
	"contract_micros" bigint NOT NULL,
	"by_treasury" boolean NOT NULL,
	CONSTRAINT "pair_merges_transaction_hash_log_index_pk" PRIMARY KEY("transaction_hash","log_index")
);
--> statement-breakpoint
ALTER TABLE "grants" ADD COLUMN "key_kind" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "grants" ADD COLUMN "key" text DEFAULT '0x0000000000000000000000000000000000000000000000000000000000000000' NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "order_signature" text;--> statement-breakpoint
CREATE INDEX "pair_merges_by_holder" ON "pair_merges" USING btree ("holder");--> statement-breakpoint
CREATE INDEX "pair_merges_block" ON "pair_merges" USING btree ("block_number");