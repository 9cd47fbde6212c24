CREATE TABLE "audit_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"reason" text NOT NULL,
	"before" jsonb,
	"after" jsonb
);
--> statement-breakpoint
CREATE TABLE "database_restores" (
	"id" uuid PRIMARY KEY NOT NULL,
	"noticed_at" timestamp (3) with time zone NOT NULL,
	"how" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "market_suspensions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"ticker" text NOT NULL,
	"reason" text NOT NULL,
	"suspended_by" text NOT NULL,
	"suspended_at" timestamp (3) with time zone NOT NULL,
	"lifted_at" timestamp (3) with time zone,
	"lifted_by" text
);
--> statement-breakpoint
CREATE TABLE "reconciliation_baselines" (
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"amount_micros" bigint NOT NULL,
	"note" text NOT NULL,
	"accepted_by" text NOT NULL,
	"accepted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "reconciliation_baselines_kind_subject_pk" PRIMARY KEY("kind","subject")
);
--> statement-breakpoint
CREATE TABLE "reconciliation_lease" (
	"name" text PRIMARY KEY NOT NULL,
	"lease_token" uuid,
	"lease_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "reconciliation_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"checked_at" timestamp (3) with time zone NOT NULL,
	"status" text NOT NULL,
	"differences" jsonb NOT NULL,
	"suspicions" jsonb NOT NULL,
	"cost" jsonb NOT NULL,
	"failure" text
);
--> statement-breakpoint
CREATE TABLE "chain_legs" (
	"leg_id" uuid PRIMARY KEY NOT NULL,
	"reference" text NOT NULL,
	"block_number" bigint NOT NULL,
	CONSTRAINT "chain_legs_reference" UNIQUE("reference")
);
--> statement-breakpoint
CREATE TABLE "usdc_accounts" (
	"address" text PRIMARY KEY NOT NULL,
	"opened_at_block" bigint NOT NULL,
	"opening_usdc_micros" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usdc_transfers" (
	"transaction_hash" text NOT NULL,
	"log_index" integer NOT NULL,
	"block_number" bigint NOT NULL,
	"from_address" text NOT NULL,
	"to_address" text NOT NULL,
	"usdc_micros" bigint NOT NULL,
	CONSTRAINT "usdc_transfers_transaction_hash_log_index_pk" PRIMARY KEY("transaction_hash","log_index")
);
--> statement-breakpoint
CREATE INDEX "audit_log_by_time" ON "audit_log" USING btree ("at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_log_by_subject" ON "audit_log" USING btree ("subject");--> statement-breakpoint
CREATE INDEX "market_suspensions_open" ON "market_suspensions" USING btree ("ticker") WHERE lifted_at is null;--> statement-breakpoint
CREATE INDEX "reconciliation_runs_by_time" ON "reconciliation_runs" USING btree ("checked_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "chain_legs_block" ON "chain_legs" USING btree ("block_number");--> statement-breakpoint
CREATE INDEX "usdc_accounts_block" ON "usdc_accounts" USING btree ("opened_at_block");--> statement-breakpoint
CREATE INDEX "usdc_transfers_from" ON "usdc_transfers" USING btree ("from_address");--> statement-breakpoint
CREATE INDEX "usdc_transfers_to" ON "usdc_transfers" USING btree ("to_address");--> statement-breakpoint
CREATE INDEX "usdc_transfers_block" ON "usdc_transfers" USING btree ("block_number");