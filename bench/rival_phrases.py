"""What is typed letter by letter."""

# Terms that stand in the manual's own book index.
PHRASES = (
    "transaction isolation level",
    "write-ahead log archiving",
    "point-in-time recovery",
    "create materialized view",
    "row level security policy",
    "logical replication slots",
    "autovacuum freeze age",
    "foreign data wrapper options",
    "window function frame",
    "generate_series timestamp interval",
    "partial index predicate",
    "partition pruning planner",
    "advisory lock functions",
    "full text search configuration",
    "json path language",
    "two-phase commit transactions",
    "hot standby feedback",
    "parallel query workers",
    "trigger transition tables",
    "collation provider icu",
    "large object support",
    "plpgsql exception handling",
    "pg_dump custom format",
    "client authentication ldap",
    "connection limits for roles",
    "bitmap index scan cost",
    "extended statistics objects",
    "deferrable unique constraint",
    "recursive common table expression",
    "shared memory semaphores kernel",
)

# What a reader asks about a term of the index.
SENTENCES = (
    "How do I use {} in PostgreSQL?",
    "What is the difference between {} and other ways to do it?",
    "Why does {} not work when the server is restarted?",
    "Which configuration settings have an effect on {}?",
)
