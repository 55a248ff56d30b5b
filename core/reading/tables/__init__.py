"""What has rows: delimited tables, JSON, Excel, Parquet and Arrow. Each gives its rows one by one."""
