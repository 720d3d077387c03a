print("hawser")
