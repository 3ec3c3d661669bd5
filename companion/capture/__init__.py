"""How are live frames kept coming, whatever the camera does?"""
