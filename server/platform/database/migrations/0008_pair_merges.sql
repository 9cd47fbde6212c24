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
CREATE INDEX "pair_merges_by_holder" ON "pair_merges" USING btree ("holder");--> statement-breakpoint
CREATE INDEX "pair_merges_block" ON "pair_merges" USING btree ("block_number");